import { announceTable } from '@tapeline/database/work-signals'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Queues send waiting rows at once without polling for them. */
export const announceDeliveries: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['mail', 'account_export', 'push', 'grant_to_revoke', 'notice']) {
      await announceTable(db, { table })
    }
  },
}
