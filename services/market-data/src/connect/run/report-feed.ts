import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@tapeline/service/logger'
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'
import { saveFeedReport } from '../settings/venue-queries.ts'
import type { FeedSession } from './feed-session.ts'

const REPORT_EVERY_MS = 2_000

export type ReportOptions = {
  db: Kysely<Tables>
  feed: string
  session: FeedSession
  logger: Logger
  signal: AbortSignal
}

/**
 * Stores the state of a connection every 2 s, until `signal` aborts. Publishing records does not wait for the database.
 */
export async function reportFeed({ db, feed, session, logger, signal }: ReportOptions): Promise<void> {
  let isFailing = false
  while (!signal.aborted) {
    try {
      await saveFeedReport(db, feed, session.report())
      isFailing = false
    } catch (err) {
      if (!isFailing)
        logger.warn({ err, feed }, 'venue connector: storing the state of the connection failed; retrying')
      isFailing = true
    }
    await delay(REPORT_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}
