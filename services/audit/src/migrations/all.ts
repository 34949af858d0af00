import type { Migrations } from '@tapeline/database/migrate'
import { createUsage } from './0001-create-usage.ts'

export const migrations: Migrations = { '0001-create-usage': createUsage }
