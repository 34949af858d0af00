import { type Component, COMPONENTS, type PlatformStatus, STATUS_DAYS } from '@tapeline/contracts/audit/status'
import type { Deps } from '../deps.ts'
import { floorTo, LEVEL_MS } from '../rollups/roll-up.ts'
import { componentStatus } from './component-status.ts'
import { presentLatency } from './present-latency.ts'
import { noticeAt } from './notice-at.ts'
import { listLatencies, listMeasuredDays, listRecent } from './status-queries.ts'

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
