import type { UserActor } from '@tapeline/contracts/actor'
import type { Period, UsageReport, PreviousUsage } from '@tapeline/contracts/audit/http'
import { type Outcome, SESSION_KEY_ID } from '@tapeline/contracts/usage/events'
import type { Deps } from '../deps.ts'
import {
  type Buckets,
  edgesOf,
  isCustom,
  isPartial,
  periodBuckets,
  rfc3339,
  spanOf,
  previousPeriod,
} from './period-buckets.ts'
import { readAsOf } from './read-as-of.ts'
import type { RequestedPeriod } from './read-period.ts'
import { readPlan } from '../rollups/read-plan.ts'
import type { Statuses } from './read-statuses.ts'
import { reportLimits } from './report-limits.ts'
import { type Grouping, hasUsageOfKey, type UsageFilter } from './report-queries.ts'
import { percentilesOf, type UsageTotals } from './usage-totals.ts'
import { findLastDrop } from '../request-log/archive/archive-queries.ts'
import { countArchivedNetworks, ROWS_MAX, totalUsage, totalOfPeriod } from './total-usage.ts'
import { type AnalyticsFeature, hasFeature, locksOf } from './usage-locks.ts'
import { AppError } from '@tapeline/service/app-error'
import { isUuid } from '../is-uuid.ts'
import type { Kysely } from 'kysely'
import { reportStreams } from '../live-streams/report-streams.ts'
import { findChecks } from '../reconciliation/check-queries.ts'
import type { Tables } from '../tables.ts'
import { floorTo, LEVEL_MS } from '../rollups/roll-up.ts'

export type UsageRequest = {
  period: RequestedPeriod
  /** Period reported instead of a custom range when the tier does not include those. */
  fallback: Period
  groupBy: Grouping
  route: string | undefined
  keyId: string | undefined
  statuses?: Statuses | undefined
  outcome?: Outcome | undefined
}

/** Features that the groupings require; grouping by key requires none. */
const FEATURES: Partial<Record<Grouping, AnalyticsFeature>> = {
  endpoint: 'basicAnalytics',
  status: 'basicAnalytics',
  outcome: 'basicAnalytics',
  hour: 'advancedAnalytics',
  network: 'advancedAnalytics',
}

/**
 * The common report of all usage calls, from the roll-ups. Parts that the tier does not include are omitted, not
 * rejected.
 */
export async function reportUsage(deps: Deps, actor: UserActor, request: UsageRequest): Promise<UsageReport> {
  const period = isCustom(request.period) && !hasFeature(actor, 'advancedAnalytics') ? request.fallback : request.period
  const buckets = periodBuckets(period, actor.timeZone, deps.now())
  const feature = FEATURES[request.groupBy]
  const showsRows = feature === undefined || hasFeature(actor, feature)
  const read = await readSettled(deps, actor, { ...request, period, buckets, showsRows })
  const { all, series, rows } = read.tallies
  if (request.keyId !== undefined && all.counts.total === 0) await requireOwnKey(deps, actor, request.keyId)
  const latencyOf = ({ latency }: UsageTotals) => (hasFeature(actor, 'basicAnalytics') ? percentilesOf(latency) : null)
  return {
    ...read.facts,
    period: { from: startOf(buckets, 0), to: rfc3339(buckets.until), tz: buckets.timeZone, bucket: buckets.unit },
    ...all.counts,
    latency_ms: latencyOf(all),
    series: series.map((totals, n) => ({
      from: startOf(buckets, n),
      to: n + 1 < series.length ? startOf(buckets, n + 1) : rfc3339(buckets.until),
      partial: isPartial(buckets, n),
      ...totals.counts,
      latency_ms: latencyOf(totals),
    })),
    rows: showsRows ? presentRows(rows, request.groupBy, latencyOf) : [],
    locked: locksOf(deps, actor),
  }
}

type Reading = UsageRequest & { buckets: Buckets; showsRows: boolean }

/** Networks count requests of the log and of archived days: one that moves meanwhile could be missing in both. */
async function readSettled(deps: Deps, actor: UserActor, reading: Reading) {
  if (reading.groupBy !== 'network') return readAtOneMoment(deps, actor, reading)
  const lastDrop = await findLastDrop(deps.db)
  const read = await readAtOneMoment(deps, actor, reading)
  return (await findLastDrop(deps.db)) === lastDrop ? read : readAtOneMoment(deps, actor, reading)
}

/** Reads all numbers of a report in one snapshot, so that totals, limits and series agree while requests arrive. */
async function readAtOneMoment(deps: Deps, actor: UserActor, reading: Reading) {
  const { buckets, showsRows, groupBy, route, keyId, statuses, outcome } = reading
  const filter = { accountId: actor.userId, route, keyId, statuses, outcome }
  const edgesMs = edgesOf(buckets)
  const withLatency = hasFeature(actor, 'basicAnalytics')
  const groups = showsRows ? groupBy : 'outcome'
  const archivedNetworks = groups === 'network' ? await countArchivedNetworks(deps, filter, edgesMs) : []
  return deps.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      const snapshot = { ...deps, db }
      const { timeZone } = buckets
      return {
        tallies: await totalUsage(db, {
          filter,
          edgesMs,
          timeZone,
          groupBy: groups,
          withLatency,
          archivedNetworks,
        }),
        facts: {
          as_of: (await readAsOf(snapshot, new Date(edgesMs[0] ?? 0))).toISOString(),
          ...(await reportChecks(db, actor.userId, buckets)),
          limits: await reportLimits(snapshot, actor.userId, readPlan(spanOf(edgesMs))),
          streams: hasStreams(reading) ? await reportStreams(db, { accountId: actor.userId, keyId, edgesMs }) : null,
          previous: withLatency ? await reportPrevious(snapshot, reading.period, buckets, filter) : null,
        },
      }
    })
}

function hasStreams({ route, statuses, outcome }: UsageRequest): boolean {
  return route === undefined && statuses === undefined && outcome === undefined
}

function presentRows(
  rows: ReadonlyMap<string, UsageTotals>,
  groupBy: Grouping,
  latencyOf: (totals: UsageTotals) => UsageReport['latency_ms'],
): UsageReport['rows'] {
  return [...rows]
    .map(([key, totals]) => ({
      key,
      ...totals.counts,
      latency_ms: latencyOf(totals),
      last_at: totals.lastAt?.toISOString() ?? null,
    }))
    .toSorted((a, b) => (groupBy === 'hour' ? 0 : b.total - a.total) || (a.key < b.key ? -1 : 1))
    .slice(0, ROWS_MAX)
}

function startOf({ starts, until }: Buckets, n: number): string {
  return rfc3339(starts[n] ?? until)
}

/**
 * Checks that the key belongs to the actor: the account used it (even if deleted since), or api-key confirms it.
 * While api-key is unavailable the check passes, and the report contains zeros for any key.
 * @throws AppError when the key does not exist or belongs to another account
 */
async function requireOwnKey(deps: Pick<Deps, 'db' | 'ownsKey'>, actor: UserActor, keyId: string): Promise<void> {
  if (keyId === SESSION_KEY_ID) return
  const isOwn =
    isUuid(keyId) &&
    ((await hasUsageOfKey(deps.db, actor.userId, keyId)) || (await deps.ownsKey(actor, keyId)) !== false)
  if (!isOwn) throw new AppError('api_key.not_found', 'There is no such API key.')
}

/** How far an account's numbers were compared with the limiter's own count, and the result. */
async function reportChecks(
  db: Kysely<Tables>,
  accountId: string,
  { starts, end }: Pick<Buckets, 'starts' | 'end'>,
): Promise<Pick<UsageReport, 'final_until' | 'drift' | 'unverified_minutes' | 'adjusted'>> {
  const period = { fromMs: (starts[0] ?? end).epochMilliseconds, toMs: end.epochMilliseconds }
  const { final_until, drift, unverified, adjusted } = await findChecks(db, accountId, period)
  return {
    final_until: final_until?.toISOString() ?? null,
    drift: final_until === null ? null : Number(drift),
    unverified_minutes: Number(unverified),
    adjusted: Number(adjusted),
  }
}

type Zoned = Temporal.ZonedDateTime

/** Totals of the preceding period of the same length. */
async function reportPrevious(
  deps: Pick<Deps, 'db' | 'now' | 'retention'>,
  period: RequestedPeriod,
  buckets: Buckets,
  filter: UsageFilter,
): Promise<PreviousUsage> {
  const previous = previousPeriod(period, buckets)
  const [from, to] = [onEdge(deps, previous.from), onEdge(deps, previous.to)]
  const edgesMs = [from.epochMilliseconds, to.epochMilliseconds]
  const { counts, latency } = await totalOfPeriod(deps.db, { filter, edgesMs, withLatency: true })
  return { from: rfc3339(from), to: rfc3339(to), ...counts, latency_ms: percentilesOf(latency) }
}

/** A whole minute; a whole quarter of an hour past the retention of the sums per minute. */
function onEdge({ now, retention }: Pick<Deps, 'now' | 'retention'>, time: Zoned): Zoned {
  const keptMs = floorTo('day', now().getTime() - retention.rowDays * LEVEL_MS.day)
  const edgeMs = floorTo(time.epochMilliseconds < keptMs ? 'quarter_hour' : 'minute', time.epochMilliseconds)
  return Temporal.Instant.fromEpochMilliseconds(edgeMs).toZonedDateTimeISO(time.timeZoneId)
}
