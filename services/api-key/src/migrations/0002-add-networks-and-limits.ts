import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addNetworksAndLimits: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      alter table api_key
        add column networks text[] not null default '{}',
        add column rate_limits jsonb check (rate_limits <> '{}')`.execute(db)
  },
}
