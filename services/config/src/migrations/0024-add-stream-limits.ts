import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Connections and messages per second of each tier when streams were introduced. */
const ADDED = {
  free: { streamConnections: 1, streamMessagesPerSecond: 10 },
  basic: { streamConnections: 5, streamMessagesPerSecond: 50 },
  pro: { streamConnections: 20, streamMessagesPerSecond: 200 },
}

/** Every stored version names its stream limits, so that an undo brings them back too. */
export const addStreamLimits: Migration = {
  async up(db: Kysely<any>) {
    for (const [tier, limits] of Object.entries(ADDED)) {
      const path = sql`array[${tier}::text, 'rateLimits']`
      await sql`
        update tier_document
        set config = jsonb_set(config, ${path}, ${JSON.stringify(limits)}::jsonb || (config #> ${path}))
        where config #> ${path} is not null`.execute(db)
    }
  },
}
