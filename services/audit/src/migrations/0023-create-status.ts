import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createStatus: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index usage_hour_by_time on usage_hour (bucket_at)`.execute(db)
    await sql`
      create table status_traffic (
        component text not null,
        hour_at timestamptz not null,
        requests bigint not null,
        errors bigint not null,
        latency bytea not null,
        primary key (component, hour_at)
      )`.execute(db)
    await sql`
      create table status_probe (
        component text not null,
        hour_at timestamptz not null,
        probes bigint not null,
        failures bigint not null,
        last_at timestamptz not null,
        last_failed boolean not null,
        primary key (component, hour_at)
      )`.execute(db)
  },
}
