import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The last position of the batch that is being sent to the receiver of the trail's stream; null: none is. */
export const storePendingBatch: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table trail_stream add column pending bigint`.execute(db)
  },
}
