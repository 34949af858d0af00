import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const noteLastRequests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table usage_account add column last_at timestamptz not null default 'epoch'`.execute(db)
    await sql`update usage_account set last_at = windows_at`.execute(db)
  },
}
