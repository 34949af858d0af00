import { type Component, COMPONENTS, type PlatformStatus, STATUS_DAYS } from '@tapeline/contracts/audit/status'
import type { Deps } from '../deps.ts'
import { floorTo, LEVEL_MS } from '../rollups/roll-up.ts'
import { componentStatus } from './component-status.ts'
import { listLatencies, listMeasuredDays, listRecent } from './status-queries.ts'
import { SketchSum } from '../rollups/sketch.ts'
import { percentilesOf } from '../reports/usage-totals.ts'

/** With nothing newer than this, the current state is not measured. */
const RECENT_MS = 2 * LEVEL_MS.hour
const DAY_CHARACTERS = 'YYYY-MM-DD'.length

/** The platform's status over 90 days, from real requests and the prober. */
export async function showStatus({
  db,
  now,
  settings,
}: Pick<Deps, 'db' | 'now' | 'settings'>): Promise<PlatformStatus> {
  const nowMs = now().getTime()
  const first = floorTo('day', nowMs) - (STATUS_DAYS - 1) * LEVEL_MS.day
  const measured = await listMeasuredDays(db, new Date(first))
  const recent = await listRecent(db, new Date(nowMs - RECENT_MS))
  const latencies = await listLatencies(db, new Date(floorTo('hour', nowMs) - LEVEL_MS.day))
  const days = Array.from({ length: STATUS_DAYS }, (_, n) => dayOf(first + n * LEVEL_MS.day))
  const isOf = (component: Component) => (one: { component: string }) => one.component === component
  const components = COMPONENTS.map((component) =>
    componentStatus(component, {
      days,
      measured: measured.filter(isOf(component)),
      recent: recent.find(isOf(component)),
    }),
  )
  const shares = components.flatMap(({ availability }) => (availability === null ? [] : [availability]))
  return {
    as_of: now().toISOString(),
    notice: noticeAt(settings, nowMs),
    // The platform's availability is that of its least available component.
    availability: shares.length === 0 ? null : Math.min(...shares),
    components,
    latency: presentLatency(latencies),
  }
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, DAY_CHARACTERS)
}

/** The maintenance notice while it is switched on and has not ended. */
function noticeAt(settings: Deps['settings'], nowMs: number): PlatformStatus['notice'] {
  const { enabled, until, level, message } = settings.valueOf('system_config.maintenance')
  return enabled && (until === null || nowMs < Date.parse(until)) ? { level, message, until } : null
}

const UP_TO_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500]
const US_PER_MS = 1_000
const NOT_MEASURED = 'No counted request was answered in the last 24 hours.'

/** Response times of the last day as a histogram; buckets are not cumulative. */
function presentLatency(sketches: readonly Uint8Array[]): PlatformStatus['latency'] {
  const all = new SketchSum()
  for (const sketch of sketches) all.addEncoded(sketch)
  const count = all.count()
  const percentiles = percentilesOf(all)
  const below = [...UP_TO_MS.map((ms) => all.countUpTo(ms * US_PER_MS)), count]
  return {
    count,
    p50_ms: percentiles?.p50 ?? null,
    p95_ms: percentiles?.p95 ?? null,
    p99_ms: percentiles?.p99 ?? null,
    histogram: below.map((up_to, n) => ({ up_to_ms: UP_TO_MS[n] ?? null, count: up_to - (below[n - 1] ?? 0) })),
    not_measured: count === 0 ? NOT_MEASURED : null,
  }
}
