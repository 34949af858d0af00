import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether the use of a reset link verifies the address: only when the link was mailed to it. */
export const markResetsThatVerify: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table password_reset add column proves_address boolean not null default true`.execute(db)
  },
}
