import { createApiKey } from './0001-create-api-key.ts'

export const migrations = { '0001-create-api-key': createApiKey }
