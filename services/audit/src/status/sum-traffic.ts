import type { Component } from '@tapeline/contracts/audit/status'
import type { Deps } from '../deps.ts'
import { floorTo, LEVEL_MS } from '../rollups/roll-up.ts'
import { SketchSum } from '../rollups/sketch.ts'
import { componentOf } from './components.ts'
import { type HourOfRoute, listHoursByRoute, setTraffic, type TrafficHour } from './status-queries.ts'

type Sums = Omit<TrafficHour, 'latency'> & { latency: SketchSum }

/** Sums the counted requests of the last hours by component. Idempotent: it sets the sums and does not add to them. */
export async function sumTraffic({ db, now }: Pick<Deps, 'db' | 'now'>, hours: number): Promise<void> {
  const current = floorTo('hour', now().getTime())
  for (let n = hours - 1; n >= 0; n -= 1) {
    const from = current - n * LEVEL_MS.hour
    const rows = await listHoursByRoute(db, new Date(from), new Date(from + LEVEL_MS.hour))
    const sums = byComponent(rows)
    if (sums.length > 0) await setTraffic(db, sums)
  }
}

function byComponent(rows: readonly HourOfRoute[]): TrafficHour[] {
  const sums = new Map<Component, Sums>()
  for (const { route, hour_at: hourAt, answered, errors, latency } of rows) {
    const component = componentOf(route)
    if (component === undefined) continue
    const sum = sums.get(component) ?? { component, hourAt, requests: 0, errors: 0, latency: new SketchSum() }
    sums.set(component, sum)
    sum.requests += Number(answered)
    sum.errors += Number(errors)
    if (latency !== null) sum.latency.addEncoded(latency)
  }
  return [...sums.values()].map((sum) => ({ ...sum, latency: sum.latency.encode() }))
}
