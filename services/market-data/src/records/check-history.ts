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
  if (filter.start === undefined) {
    // A cursor of an account that had the history then.
    if (after !== undefined) throw notIncluded('/cursor')
    return { ...cursor, filter: { ...filter, start: String(earliest) } }
  }
  const reads = filter.order === 'asc' && after !== undefined ? BigInt(after.tsEvent) : BigInt(filter.start)
  if (reads >= earliest || (after !== undefined && reads >= earliest - WALK_GRACE_NS)) return cursor
  throw notIncluded(after === undefined ? '/start' : '/cursor')
}

function notIncluded(field: string): AppError {
  const message = 'Your tier reads the last 24 hours. Older data is included from the Basic tier on.'
  return new AppError('tier.history_not_included', message, { errors: [{ field, message }] })
}
