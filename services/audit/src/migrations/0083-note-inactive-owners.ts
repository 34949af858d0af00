import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Endpoints of accounts that were deactivated or are waiting for their deletion get no webhooks. */
export const noteInactiveOwners: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table webhook_endpoint add column is_owner_active boolean not null default true`.execute(db)
    await sql`
      update webhook_endpoint e set is_owner_active = false
      where 'inactive' = (
        select t.after ->> 'status' from audit_trail t
        where t.scope = e.account_id::text and t.type like 'identity.status-changed%'
        order by t.position desc limit 1
      )`.execute(db)
  },
}
