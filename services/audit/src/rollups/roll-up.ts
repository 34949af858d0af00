import { type Outcome, POLICIES, type Policy, type UsageRequestServed } from '@tapeline/contracts/usage/events'
import { addValue, mergeSketch, type Sketch } from './sketch.ts'

/**
 * Quarters of an hour, because the time zones of India and Nepal have offsets of half and three quarters of an hour.
 */
export const LEVELS = ['minute', 'quarter_hour', 'hour', 'day'] as const
export type Level = (typeof LEVELS)[number]
export const LEVEL_MS: Record<Level, number> = {
  minute: 60_000,
  quarter_hour: 900_000,
  hour: 3_600_000,
  day: 86_400_000,
}

/** Levels that are also stored summed over key, route and status, which most reports read. */
const OF_ACCOUNTS = { hour: 'account_hour', day: 'account_day' } as const
export type Stored = Level | (typeof OF_ACCOUNTS)[keyof typeof OF_ACCOUNTS]
export const STORED: readonly Stored[] = [...LEVELS, ...Object.values(OF_ACCOUNTS)]

/** A usage event, parsed further: `id` in lower case, `timeMs` since 1970. */
export type ServedRequest = { id: string; timeMs: number; data: UsageRequestServed }

/** Key of a roll-up row. */
type Group = { account_id: string; bucketMs: number; key_id: string; route: string; status: number; outcome: Outcome }
export type Sums = {
  requests: number
  admitted: number
  denied: number
  refused: number
  bytes_in: number
  bytes_out: number
  rows_returned: number
}
export type RollUp = Group &
  Sums & {
    peaks: Record<Policy, number>
    latency: Sketch
    lastMs: number
    /** Ordered like the primary key. */ sortKey: string
  }

/** Sums of these requests per minute. */
export function rollUpMinutes(requests: readonly ServedRequest[]): RollUp[] {
  const rollUps = new Map<string, RollUp>()
  for (const { timeMs, data } of requests) {
    const into = rollUpFor(rollUps, data, floorTo('minute', timeMs))
    into.requests += 1
    into[data.decision.verdict] += 1
    into.bytes_in += data.bytes_in
    into.bytes_out += data.bytes_out
    into.rows_returned += data.rows_returned ?? 0
    into.lastMs = Math.max(into.lastMs, timeMs)
    for (const { policy, used } of data.decision.windows) into.peaks[policy] = Math.max(into.peaks[policy], used)
    if (hasLatency(data)) addValue(into.latency, data.latency_us)
  }
  return inOrder(rollUps)
}

/**
 * Sums the roll-ups of a level into longer buckets. Returns the same list when that changes no sum, as for most batches
 * after the first level: `bucketMs` is then a time in the longer bucket, and not its start.
 */
export function rollUpFurther(level: Level, finer: readonly RollUp[]): readonly RollUp[] {
  const buckets = new Set(finer.map(({ bucketMs }) => bucketMs))
  const longer = new Set([...buckets].map((bucketMs) => floorTo(level, bucketMs)))
  return longer.size === buckets.size ? finer : sumIn(level, finer)
}

function sumIn(level: Level, finer: readonly RollUp[]): RollUp[] {
  const rollUps = new Map<string, RollUp>()
  for (const one of finer) {
    const into = rollUpFor(rollUps, one, floorTo(level, one.bucketMs))
    into.requests += one.requests
    into.admitted += one.admitted
    into.denied += one.denied
    into.refused += one.refused
    into.bytes_in += one.bytes_in
    into.bytes_out += one.bytes_out
    into.rows_returned += one.rows_returned
    into.lastMs = Math.max(into.lastMs, one.lastMs)
    for (const policy of POLICIES) into.peaks[policy] = Math.max(into.peaks[policy], one.peaks[policy])
    mergeSketch(into.latency, one.latency)
  }
  return inOrder(rollUps)
}

/** Sums the roll-ups over all keys, routes and statuses. */
export function rollUpAccounts(level: Level, rollUps: readonly RollUp[]): RollUp[] {
  return sumIn(
    level,
    rollUps.map((one) => ({ ...one, key_id: '', route: '', status: 0 })),
  )
}

/** The level with the sums over all keys, routes and statuses; the level itself where there is none. */
export function ofAccounts(level: Level): Stored {
  return level === 'hour' || level === 'day' ? OF_ACCOUNTS[level] : level
}

export function levelOf(stored: Stored): Level {
  return LEVELS.find((level) => ofAccounts(level) === stored || level === stored) ?? 'minute'
}

/** Only allowed and answered requests have a response time: rejections take almost none. */
export function hasLatency({ decision, outcome }: UsageRequestServed): boolean {
  return decision.verdict === 'admitted' && outcome !== 'aborted'
}

export function floorTo(level: Level, timeMs: number): number {
  return Math.floor(timeMs / LEVEL_MS[level]) * LEVEL_MS[level]
}

function rollUpFor(rollUps: Map<string, RollUp>, group: Omit<Group, 'bucketMs'>, bucketMs: number): RollUp {
  const { account_id, key_id, route, status, outcome } = group
  const sortKey = `${account_id}\0${bucketMs}\0${key_id}\0${route}\0${status}\0${outcome}`
  const existing = rollUps.get(sortKey)
  if (existing !== undefined) return existing
  const rollUp: RollUp = {
    account_id,
    bucketMs,
    key_id,
    route,
    status,
    outcome,
    requests: 0,
    admitted: 0,
    denied: 0,
    refused: 0,
    bytes_in: 0,
    bytes_out: 0,
    rows_returned: 0,
    peaks: { burst: 0, min: 0, hour: 0, day: 0, month: 0, conc: 0 },
    latency: new Map(),
    lastMs: 0,
    sortKey,
  }
  rollUps.set(sortKey, rollUp)
  return rollUp
}

/** Fixed order, so that concurrent transactions cannot deadlock. */
function inOrder(rollUps: ReadonlyMap<string, RollUp>): RollUp[] {
  return [...rollUps.values()].toSorted((a, b) => (a.sortKey < b.sortKey ? -1 : 1))
}
