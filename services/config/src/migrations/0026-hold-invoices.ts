import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A held account has no next month either, so processes of the previous version do not invoice it. */
export const holdInvoices: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table subscription add column invoices_held_at timestamptz`.execute(db)
  },
}
