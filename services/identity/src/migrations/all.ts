import type { Migrations } from '@tapeline/database/migrate'
import { createIdentity } from './0001-create-identity.ts'

export const migrations: Migrations = { '0001-create-identity': createIdentity }
