import type { UserActor } from '@tapeline/contracts/actor'
import { AppError } from '@tapeline/service/app-error'
import { nanosecondsOf } from '../nanoseconds.ts'
import type { Cursor } from './cursor.ts'
import type { Filter } from './filter.ts'

const RECENT_NS = 24n * 3_600_000_000_000n
/** A walk that began inside the last 24 hours may take this long. */
const WALK_GRACE_NS = 3_600_000_000_000n

/**
 * What an account without `historicalData` reads: the last 24 hours, from their beginning when it names no start. What
 * comes of the clock is not signed into a cursor: the next call has its own last 24 hours.
 */
export function limitHistory(actor: UserActor, cursor: Cursor, { now, isFirst }: Call): Filter {
  const { filter } = cursor
  if (actor.features.includes('historicalData')) return filter
  const earliest = nanosecondsOf(now) - RECENT_NS
  const bound = isFirst ? earliest : earliest - WALK_GRACE_NS
  if (filter.end !== undefined && BigInt(filter.end) <= bound) throw notIncluded('/end')
  const from = readsFrom(cursor) ?? String(earliest)
  if (BigInt(from) < bound) throw notIncluded(isFirst ? '/start' : '/cursor')
  return { ...filter, start: filter.start ?? from }
}

function readsFrom({ filter, after }: Cursor): string | undefined {
  return filter.order === 'asc' && after !== undefined ? after.tsEvent : filter.start
}

type Call = {
  now: Date
  /** Without a cursor. */
  isFirst: boolean
}

function notIncluded(field: string): AppError {
  const message = 'Your tier reads the last 24 hours. Older data is included from the Basic tier on.'
  return new AppError('tier.history_not_included', message, { errors: [{ field, message }] })
}
