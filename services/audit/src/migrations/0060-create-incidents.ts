import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createIncidents: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table status_streak (
        component text primary key,
        failed boolean not null,
        length integer not null,
        since timestamptz not null,
        last_at timestamptz not null
      )`.execute(db)
    await sql`
      create table status_incident (
        id uuid primary key,
        component text not null,
        opened_at timestamptz not null,
        resolved_at timestamptz
      )`.execute(db)
    await sql`
      create unique index status_incident_open on status_incident (component) where resolved_at is null`.execute(db)
  },
}
