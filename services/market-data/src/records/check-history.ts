import type { UserActor } from '@tapeline/contracts/actor'
import type { Feature } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import { includedIn } from '@tapeline/service/settings/included-in'
import type { Deps } from '../deps.ts'
import { nanosecondsOf } from '../nanoseconds.ts'
import type { Cursor } from './cursor.ts'
import type { Filter } from './filter.ts'

const FEATURE: Feature = 'historicalData'
const RECENT_NS = 24n * 3_600_000_000_000n
/** Paging that began inside the last 24 hours may take this long. */
const WALK_GRACE_NS = 3_600_000_000_000n

/**
 * The range of an account without `historicalData`: the last 24 hours, from their beginning if the call has no start. A
 * bound taken from the clock is not signed into a cursor: the next call has its own last 24 hours.
 */
export function limitHistory(
  { settings }: Pick<Deps, 'settings'>,
  actor: UserActor,
  cursor: Cursor,
  { now, isFirst }: Call,
): Filter {
  const { filter } = cursor
  if (hasHistory(actor)) return filter
  const earliest = nanosecondsOf(now) - RECENT_NS
  const bound = isFirst ? earliest : earliest - WALK_GRACE_NS
  if (filter.end !== undefined && BigInt(filter.end) <= bound) throw notIncluded(settings, '/end')
  const from = readsFrom(cursor) ?? String(earliest)
  if (BigInt(from) < bound) throw notIncluded(settings, isFirst ? '/start' : '/cursor')
  return { ...filter, start: filter.start ?? from }
}

/** @throws AppError `tier.history_not_included` if a time (ns) is older than the history of the account's tier */
export function checkMoment({ settings }: Pick<Deps, 'settings'>, actor: UserActor, at: bigint, now: Date): void {
  if (at >= earliestFor(actor, now)) return
  throw notIncluded(settings, '/at')
}

/** The earliest time (ns) that the account's tier includes. */
export function earliestFor(actor: UserActor, now: Date): bigint {
  return hasHistory(actor) ? 0n : nanosecondsOf(now) - RECENT_NS
}

/** Whether the account's tier includes data older than 24 hours. */
export function hasHistory(actor: UserActor): boolean {
  return actor.features.includes(FEATURE)
}

function readsFrom({ filter, after }: Cursor): string | undefined {
  return filter.order === 'asc' && after !== undefined ? after.tsEvent : filter.start
}

type Call = {
  now: Date
  /** True for a call without a cursor. */
  isFirst: boolean
}

function notIncluded(settings: Deps['settings'], field: string): AppError {
  const message = `Data older than 24 hours is not part of your plan. ${includedIn(settings, FEATURE)}`
  return new AppError('tier.history_not_included', message, { errors: [{ field, message }] })
}
