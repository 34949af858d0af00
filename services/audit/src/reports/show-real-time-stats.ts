import type { UserActor } from '@tapeline/contracts/actor'
import type { RealTimeStats, RealTimeWindow } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { readAsOf } from './read-as-of.ts'
import { type Range, readPlan } from '../rollups/read-plan.ts'
import { type RecentRequests, sumRecentRequests } from './real-time-queries.ts'
import { reportLimits } from './report-limits.ts'
import { sumUsage } from './report-queries.ts'
import { floorTo, LEVEL_MS } from '../rollups/roll-up.ts'
import { encodeSketch } from '../rollups/sketch.ts'
import { addToTotals, emptyTotals, percentilesOf, type UsageTotals } from './usage-totals.ts'
import { hasFeature, locksOf } from './usage-locks.ts'

const LONG_MS = 5 * LEVEL_MS.minute

/**
 * Usage of the last minute and the last five minutes before `as_of`: whole minutes from the roll-ups, the newest and
 * the rest of the oldest from the few rows.
 */
export async function showRealTimeStats(deps: Deps, actor: UserActor): Promise<RealTimeStats> {
  const asOf = await readAsOf(deps, deps.now())
  const toMs = asOf.getTime()
  const newestFromMs = toMs - LEVEL_MS.minute
  const longFromMs = toMs - LONG_MS
  const whole = { fromMs: floorTo('minute', longFromMs + LEVEL_MS.minute - 1), toMs: floorTo('minute', newestFromMs) }
  const fragments = [
    { fromMs: longFromMs, toMs: whole.fromMs },
    { fromMs: whole.toMs, toMs },
  ]
  const [minutes, recent, limits, inFlight] = await Promise.all([
    sumWhole(deps, actor, whole),
    sumRecentRequests(deps.db, actor.userId, fragments, newestFromMs),
    reportLimits(deps, actor.userId, readPlan([whole.fromMs, floorTo('minute', toMs) + LEVEL_MS.minute])),
    deps.limiter.countOpen(actor.userId, deps.now()),
  ])
  const [newest, long] = [emptyTotals(), emptyTotals()]
  for (const sum of minutes) addToTotals(long, sum)
  for (const some of recent) {
    addToTotals(long, asSum(some))
    if (some.is_newest) addToTotals(newest, asSum(some))
  }
  const hasLatency = hasFeature(actor, 'basicAnalytics')
  return {
    as_of: asOf.toISOString(),
    last_minute: presentWindow({ fromMs: newestFromMs, toMs }, newest, hasLatency),
    last_5_minutes: presentWindow({ fromMs: longFromMs, toMs }, long, hasLatency),
    in_flight: inFlight ?? null,
    limits,
    locked: locksOf(deps, actor),
  }
}

function sumWhole({ db }: Pick<Deps, 'db'>, { userId }: UserActor, { fromMs, toMs }: Range) {
  return sumUsage(db, {
    accountId: userId,
    route: undefined,
    keyId: undefined,
    level: 'minute',
    ranges: [{ fromMs, toMs }],
    edgesMs: [fromMs, toMs],
    groupBy: 'outcome',
    offsetMs: 0,
    withLatency: true,
  })
}

function asSum({ outcome, bucket, requests, last_at }: RecentRequests) {
  const latency = bucket === null ? null : encodeSketch(new Map([[bucket, Number(requests)]])).toString('base64')
  return { outcome, requests, last_at, latency }
}

function presentWindow({ fromMs, toMs }: Range, { counts, latency }: UsageTotals, hasLatency: boolean): RealTimeWindow {
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    ...counts,
    success_rate: counts.total === 0 ? null : counts.success / counts.total,
    latency_ms: hasLatency ? percentilesOf(latency) : null,
  }
}
