import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which process connects to which feed. Times are the database's. */
export const createVenueLeases: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table venue_lease (
        feed text primary key,
        holder text not null,
        expires_at timestamptz not null
      )`.execute(db)
  },
}
