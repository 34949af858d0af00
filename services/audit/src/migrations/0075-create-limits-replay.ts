import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createLimitsReplay: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table limits_replay (
        id uuid primary key,
        requested_by uuid not null,
        tier text not null,
        rate_limits jsonb not null,
        from_at timestamptz not null,
        to_at timestamptz not null,
        state text not null,
        progress real not null,
        heartbeat_at timestamptz not null,
        result jsonb,
        created_at timestamptz not null
      )`.execute(db)
    await sql`create index limits_replay_waiting on limits_replay (created_at) where state in ('queued', 'running')`.execute(
      db,
    )
  },
}
