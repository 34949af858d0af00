import type { UserActor } from '@tapeline/contracts/actor'
import { AppError } from '@tapeline/service/app-error'
import { nanosecondsOf } from '../nanoseconds.ts'
import type { Cursor } from './cursor.ts'

const RECENT_NS = 24n * 3_600_000_000_000n
/** A walk that began inside the last 24 hours may take this long. */
const WALK_GRACE_NS = 3_600_000_000_000n

/** Without `historicalData` an account reads the last 24 hours: that is also where it starts when it says nothing. */
export function limitHistory(actor: UserActor, cursor: Cursor, now: Date): Cursor {
  if (actor.features.includes('historicalData')) return cursor
  const { filter, after } = cursor
  const earliest = nanosecondsOf(now) - RECENT_NS
  if (filter.end !== undefined && BigInt(filter.end) <= earliest) throw notIncluded('/end')
  if (after === undefined) return limitStart(cursor, earliest)
  // Without a start it was made for an account that had the history then.
  const reads = filter.order === 'asc' ? after.tsEvent : filter.start
  if (reads === undefined || BigInt(reads) < earliest - WALK_GRACE_NS) throw notIncluded('/cursor')
  return cursor
}

function limitStart(cursor: Cursor, earliest: bigint): Cursor {
  const { filter } = cursor
  if (filter.start === undefined) return { ...cursor, filter: { ...filter, start: String(earliest) } }
  if (BigInt(filter.start) < earliest) throw notIncluded('/start')
  return cursor
}

function notIncluded(field: string): AppError {
  const message = 'Your tier reads the last 24 hours. Older data is included from the Basic tier on.'
  return new AppError('tier.history_not_included', message, { errors: [{ field, message }] })
}
