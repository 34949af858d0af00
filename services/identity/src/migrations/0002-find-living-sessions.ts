import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Index to end all sessions of an account without reading other accounts'. */
export const findLivingSessions: Migration = {
  async up(db: Kysely<any>) {
    await sql`create index session_living on session (user_id) where ended_at is null`.execute(db)
  },
}
