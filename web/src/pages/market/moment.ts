import type { Instrument, Trade } from '@tapeline/contracts/market-data/http'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** An instrument without records for this long is not live. */
const LIVE_WITHIN_MS = 15 * MINUTE_MS
/** Calls of one refresh: trades, candles, book. */
const CALLS_PER_REFRESH = 3
/** Share of the limit per minute that an open page uses. */
const LIMIT_SHARE = 0.25
const REFRESH_MIN_MS = 2 * SECOND_MS

/** `at`: the moment that is shown, in milliseconds; live pages show the present. */
export type Moment = { isLive: boolean; canBeLive: boolean; atMs: number }

/** The newest record: of the loaded instrument, or of the trades received since. */
export function lastRecordMs({ last_ts_event }: Pick<Instrument, 'last_ts_event'>, seenMs: number | undefined) {
  const times = [last_ts_event === null ? undefined : Date.parse(last_ts_event), seenMs].filter(
    (ms) => ms !== undefined,
  )
  return times.length === 0 ? undefined : Math.max(...times)
}

/**
 * Time of the first of these trades if it has to replace the last record: once a minute, not with each trade, because
 * it only decides whether the page is live.
 */
export function newerRecordMs(
  trades: readonly Pick<Trade, 'ts_event'>[] | undefined,
  lastMs: number | undefined,
  nowMs: number,
): number | undefined {
  const newest = trades?.[0]
  if (newest === undefined) return undefined
  const newestMs = Date.parse(newest.ts_event)
  const knownMs = lastMs ?? 0
  return newestMs > knownMs && nowMs - knownMs > MINUTE_MS ? newestMs : undefined
}

/** `lastRecord`: the time of the newest record, in milliseconds. */
export function momentOf(at: string | undefined, lastRecord: number | undefined, nowMs: number): Moment {
  const lastMs = lastRecord ?? nowMs
  const canBeLive = nowMs - lastMs < LIVE_WITHIN_MS
  if (at !== undefined) return { isLive: false, canBeLive, atMs: Date.parse(at) }
  // The first moment after the last record.
  return { isLive: canBeLive, canBeLive, atMs: canBeLive ? nowMs : Math.floor(lastMs / SECOND_MS + 1) * SECOND_MS }
}

/** Polling interval of a live page, which uses at most a quarter of the limit per minute. */
export function refreshMs(requestsPerMinute: number): number {
  return Math.max(REFRESH_MIN_MS, Math.ceil((CALLS_PER_REFRESH / (requestsPerMinute * LIMIT_SHARE)) * MINUTE_MS))
}

/** The UTC day of a moment and the 24 hours before it. `historyMs`: how far back the plan reads. */
export function activityRange(atMs: number, nowMs: number, historyMs: number | undefined) {
  const dayMs = Math.floor(atMs / DAY_MS) * DAY_MS
  const earliestMs = historyMs === undefined ? 0 : nowMs - historyMs + MINUTE_MS
  // Rounded, so that the range of a live page changes once in ten minutes.
  const startMs = Math.floor((atMs - DAY_MS) / (10 * MINUTE_MS)) * 10 * MINUTE_MS
  return { start: isoOf(Math.max(startMs, Math.ceil(earliestMs / MINUTE_MS) * MINUTE_MS)), end: isoOf(dayMs + DAY_MS) }
}

export function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

export function dayStartMs(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}
