import { createOutboxTable } from '@tapeline/database/outbox-table'
import type { Migration } from 'kysely/migration'

export const createOutbox: Migration = { up: createOutboxTable }
