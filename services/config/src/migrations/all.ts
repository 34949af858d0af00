import { createConfig } from './0001-create-config.ts'

export const migrations = { '0001-create-config': createConfig }
