import { createConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const hearOfAccounts: Migration = {
  async up(db: Kysely<any>) {
    await createConsumerTables(db)
  },
}
