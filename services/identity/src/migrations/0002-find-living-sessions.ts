import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who ends all sessions of an account finds them without reading everybody's. */
export const findLivingSessions: Migration = {
  async up(db: Kysely<any>) {
    await sql`create index session_living on session (user_id) where ended_at is null`.execute(db)
  },
}
