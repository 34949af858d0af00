import type pg from 'pg'
import { inTransaction } from '../lake/in-transaction.ts'
import { limitWaits } from '../store/store-queries.ts'
import {
  type AsOf,
  awaitWriters,
  deleteFineMarks,
  HOUR_NS,
  listChannels,
  listSequencesAt,
  type MarkRange,
  readClock,
  type ThinnedMarks,
} from './as-of-queries.ts'
import { invalid } from './filter.ts'

/** Longer than a writer keeps a channel locked. */
const WRITERS_NS = 300_000_000_000n
const DAY_NS = 24n * HOUR_NS
/** For older times, one mark per hour is kept. */
const EXACT_DAYS = 30n
/** Marks are kept for longer than they are used. */
const MARKS_KEPT_NS = (EXACT_DAYS + 1n) * DAY_NS

/**
 * The last sequence of each instrument that was stored at a time: rows up to it are what every earlier and later call
 * with the same time reads, because sequences are assigned in commit order and rows never change.
 * @throws `filter.invalid` for a time in the future, and for one older than 30 days that is not a whole hour
 */
export async function sequencesAsOf(pool: pg.Pool, query: AsOf): Promise<ReadonlyMap<number, string>> {
  const asOf = BigInt(query.asOf)
  const now = await readClock(pool)
  if (asOf > now) throw invalid('/as_of', 'notInFuture')
  if (asOf < now - EXACT_DAYS * DAY_NS && asOf % HOUR_NS !== 0n)
    throw invalid('/as_of', 'wholeHour', String(EXACT_DAYS))
  // A writer that took its timestamp before `as_of` may not have committed yet.
  if (asOf > now - WRITERS_NS) await awaitWriters(pool, query)
  return listSequencesAt(pool, query)
}

/** Deletes marks that only times between whole hours would need. Safe to repeat. Returns how many were deleted. */
export async function thinIngestMarks({ pool }: { pool: pg.Pool }): Promise<number> {
  const before = (await readClock(pool)) - MARKS_KEPT_NS
  let deleted = 0
  for (const channel of await listChannels(pool)) {
    for (let from: string | null = '0'; from !== null;) {
      const batch: ThinnedMarks = await thinSome(pool, { ...channel, from, before })
      deleted += batch.deleted
      from = batch.next
    }
  }
  return deleted
}

function thinSome(pool: pg.Pool, range: MarkRange): Promise<ThinnedMarks> {
  return inTransaction(pool, async (client) => {
    await limitWaits(client)
    return deleteFineMarks(client, range)
  })
}
