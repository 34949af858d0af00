import { mostInWindow } from '@tapeline/testing/usage/most-in-window'
import { type Check, checkThat } from '../../drill.ts'

/** An admitted request: on which side of the cut, and whether Redis or the gateway's share admitted it. */
export type Admission = { atMs: number; side: 'cut' | 'kept'; by: 'redis' | 'share' }
/** An account bound by one limit, and its requests on both sides. */
export type WindowSplit = {
  policy: string
  windowMs: number
  limit: number
  sent: number
  admissions: readonly Admission[]
}
export type RedisSplit = {
  cutMs: number
  healedMs: number
  /** On both sides together. */
  gateways: number
  /** `min-replicas-max-lag`, in seconds. */
  replicaLagMaxS: number
  windows: readonly WindowSplit[]
  /** Accounts that send requests only after healing. */
  later: readonly WindowSplit[]
}

/** A replica acknowledges every second, and a master counts its replicas every second. */
const LAG_CHECKS_MS = 2_000
/** Time in which a loaded machine sends a reply. */
const REPLY_MS = 500
/** What a replica may not have received. */
const UNREPLICATED_MS = 1_000

/** Both sides together stay within the written bound, the cut master stops, and afterwards limits are exact. */
export function checkRedisSplit(split: RedisSplit): Check[] {
  const { windows, later } = split
  const refusesWithinMs = split.replicaLagMaxS * 1_000 + LAG_CHECKS_MS + REPLY_MS
  const { isolatedForMs, isolated } = isolationOf(split)
  return [
    checkThat(
      `a master without its replicas rejects writes within ${refusesWithinMs} ms`,
      isolated > 0 && isolatedForMs <= refusesWithinMs,
      `it admitted ${isolated} requests, for ${isolatedForMs} ms`,
    ),
    ...windows.map((window) => checkBound(split, window)),
    ...windows.map((window) => checkShare(split, window)),
    ...later.map(checkExact),
  ]
}

/** Requests that the cut master admitted during the cut, and for how long. */
export function isolationOf({ cutMs, healedMs, windows }: RedisSplit): { isolated: number; isolatedForMs: number } {
  const times = windows
    .flatMap(({ admissions }) => admissions)
    .filter(({ side, by, atMs }) => side === 'cut' && by === 'redis' && atMs > cutMs && atMs < healedMs)
    .map(({ atMs }) => atMs)
  return { isolated: times.length, isolatedForMs: Math.max(0, ...times.map((atMs) => atMs - cutMs)) }
}

/**
 * Of every window: the limit, once more what the cut master has left of it, a share per gateway, and what the replicas
 * had not received.
 */
export function boundOf(
  { cutMs, healedMs, gateways }: RedisSplit,
  { windowMs, limit, admissions }: WindowSplit,
): number {
  const times = admissions.map(({ atMs }) => atMs)
  const uncounted = times.filter((ms) => ms > cutMs - UNREPLICATED_MS && ms <= cutMs).length
  // A window that is shorter than the cut no longer contains what was used before.
  const isShort = windowMs < healedMs - cutMs
  const used = isShort ? 0 : times.filter((ms) => ms <= cutMs - UNREPLICATED_MS).length
  const left = limit - used
  return limit + left + gateways * Math.max(1, Math.ceil(left / gateways)) + uncounted
}

function checkBound(split: RedisSplit, window: WindowSplit): Check {
  const { policy, windowMs, sent, admissions } = window
  const most = mostInWindow(timesOf(admissions), windowMs)
  const atMost = boundOf(split, window)
  return checkThat(
    `Redis cut off, ${policy}: both sides admit at most the limit, the rest of it again, and a share per gateway`,
    most <= atMost && sent > atMost,
    `${most} admitted in one window, at most ${atMost}; ${sent} sent`,
  )
}

function checkShare({ gateways }: RedisSplit, { policy, windowMs, limit, admissions }: WindowSplit): Check {
  const share = Math.max(1, Math.floor(limit / gateways))
  const byShare = admissions.filter(({ side, by }) => side === 'cut' && by === 'share')
  const most = mostInWindow(timesOf(byShare), windowMs)
  return checkThat(
    `Redis cut off, ${policy}: without its master, the gateway that is cut off admits at most its share`,
    most <= share,
    `${most} admitted in one window, its share is ${share}`,
  )
}

/** A late reply on a busy machine lets a share decide, which only adds to the limit. */
function checkExact({ policy, windowMs, limit, sent, admissions }: WindowSplit): Check {
  const most = mostInWindow(timesOf(admissions), windowMs)
  const byShare = admissions.filter(({ by }) => by === 'share').length
  return checkThat(
    `after healing, ${policy}: both sides together admit exactly the limit`,
    most >= Math.min(limit, sent) && most <= limit + byShare && sent > limit,
    `${most} admitted in one window, the limit is ${limit}, ${byShare} by a share; ${sent} sent`,
  )
}

function timesOf(admissions: readonly Admission[]): number[] {
  return admissions.map(({ atMs }) => atMs)
}
