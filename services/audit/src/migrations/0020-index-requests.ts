import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** For pages of the request log, newest first, and for finding one request by the id that its answer carried. */
export const indexRequests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index usage_event_by_account on usage_event (account_id, time, id)`.execute(db)
    await sql`create index usage_event_by_request on usage_event using hash (request_id)`.execute(db)
  },
}
