import { announceTable } from '@tapeline/database/work-signals'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The queue sends due deliveries at once without polling for them: new ones, repeated ones, those of a resumed endpoint. */
export const announceWebhookDeliveries: Migration = {
  async up(db: Kysely<unknown>) {
    await announceTable(db, { table: 'webhook_delivery', orUpdateOf: 'due_at' })
    await announceTable(db, { table: 'webhook_endpoint', orUpdateOf: 'state' })
  },
}
