import type { UserActor } from '@tapeline/contracts/actor'
import type { Period, UsageReport } from '@tapeline/contracts/audit/http'
import type { Deps } from './deps.ts'
import { type Buckets, periodBuckets, rfc3339 } from './period-buckets.ts'
import { readAsOf } from './read-as-of.ts'
import { type ReadPlan, readPlan } from './read-plan.ts'
import { reportLimits } from './report-limits.ts'
import { type Grouping, sumUsage, type UsageSums } from './report-queries.ts'
import { requireOwnKey } from './require-own-key.ts'
import { LEVELS } from './roll-up.ts'
import { decodeSketch } from './sketch.ts'
import { addToTally, emptyTally, mergeTally, percentilesOf, type Tally } from './tally.ts'

export type UsageRequest = {
  period: Period
  groupBy: Grouping
  route: string | undefined
  keyId: string | undefined
}

const LOCK = { feature: 'basicAnalytics', tier: 'basic' } as const
const ROWS_MAX = 500

/**
 * The one answer of all usage calls, from the roll-ups. Counts, the series, limits and rows by key are for everyone;
 * percentiles and the other rows need the feature, and without it are left out rather than refused.
 */
export async function reportUsage(deps: Deps, actor: UserActor, request: UsageRequest): Promise<UsageReport> {
  const buckets = periodBuckets(request.period, actor.timeZone, deps.now())
  const plan = readPlan(edgesOf(buckets))
  const isLocked = !actor.features.includes(LOCK.feature)
  const { sums, limits, asOf } = await atOneMoment(deps, async (snapshot) => ({
    sums: await sumAll(snapshot, { actor, request, buckets, plan, isLocked }),
    limits: await reportLimits(snapshot, actor.userId, plan),
    asOf: await readAsOf(snapshot, new Date(buckets.starts[0]?.epochMilliseconds ?? 0)),
  }))
  const { all, series, rows } = tallySums(sums, buckets.starts.length)
  if (request.keyId !== undefined && all.counts.total === 0) await requireOwnKey(deps, actor, request.keyId)
  const latencyOf = ({ latency }: Tally) => (isLocked ? null : percentilesOf(latency))
  const showsRows = !isLocked || request.groupBy === 'key'
  return {
    as_of: asOf.toISOString(),
    final_until: null,
    drift: null,
    period: { from: startOf(buckets, 0), to: rfc3339(buckets.now), tz: buckets.timeZone },
    ...all.counts,
    latency_ms: latencyOf(all),
    series: series.map((tally, n) => ({
      from: startOf(buckets, n),
      to: n + 1 < series.length ? startOf(buckets, n + 1) : rfc3339(buckets.now),
      ...tally.counts,
      latency_ms: latencyOf(tally),
    })),
    rows: showsRows
      ? [...rows]
          .map(([key, tally]) => ({
            key,
            ...tally.counts,
            latency_ms: latencyOf(tally),
            last_at: tally.lastAt?.toISOString() ?? null,
          }))
          .toSorted((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1))
          .slice(0, ROWS_MAX)
      : [],
    limits,
    locked: isLocked ? [LOCK] : [],
  }
}

/** All numbers of a report are of one snapshot: totals, limits and the series agree while requests come in. */
function atOneMoment<T>(deps: Deps, read: (snapshot: Deps) => Promise<T>): Promise<T> {
  return deps.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((db) => read({ ...deps, db }))
}

type Sum = { actor: UserActor; request: UsageRequest; buckets: Buckets; plan: ReadPlan; isLocked: boolean }

async function sumAll(deps: Deps, { actor, request, buckets, plan, isLocked }: Sum): Promise<UsageSums[]> {
  const sums: UsageSums[] = []
  for (const level of LEVELS.filter((one) => plan[one].length > 0)) {
    const part = await sumUsage(deps.db, {
      level,
      ranges: plan[level],
      edgesMs: edgesOf(buckets),
      groupBy: request.groupBy,
      withLatency: !isLocked,
      accountId: actor.userId,
      route: request.route,
      keyId: request.keyId,
    })
    sums.push(...part)
  }
  return sums
}

function tallySums(sums: readonly UsageSums[], count: number) {
  const series = Array.from({ length: count }, emptyTally)
  const rows = new Map<string, Tally>()
  for (const sum of sums) {
    const latency = decodeSketch(sum.latency)
    const bucket = series[sum.bucket - 1]
    if (bucket !== undefined) addToTally(bucket, { ...sum, latency })
    const row = rows.get(sum.row_key) ?? emptyTally()
    rows.set(sum.row_key, row)
    addToTally(row, { ...sum, latency })
  }
  const all = emptyTally()
  for (const tally of series) mergeTally(all, tally)
  return { all, series, rows }
}

function edgesOf({ starts, end }: Buckets): number[] {
  return [...starts, end].map(({ epochMilliseconds }) => epochMilliseconds)
}

function startOf({ starts, now }: Buckets, n: number): string {
  return rfc3339(starts[n] ?? now)
}
