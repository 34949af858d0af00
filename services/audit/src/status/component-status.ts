import type { Component, ComponentStatus, StatusDay } from '@tapeline/contracts/audit/status'
import type { MeasuredDay, Recent } from './status-queries.ts'

export type Measurements = {
  days: readonly string[]
  measured: readonly MeasuredDay[]
  /** Traffic and the newest probe of the last hours; undefined when there is neither. */
  recent: Recent | undefined
}

/** A component is degraded when more than this ratio of its requests fails. */
const DEGRADED_SHARE = 0.01
const DIGITS = 6
const UNMEASURED = 'No counted request and no probe has reached it in the last 90 days.'

/** Status of one component, day by day. */
export function componentStatus(component: Component, { days, measured, recent }: Measurements): ComponentStatus {
  const byDay = new Map(measured.map((one) => [one.day, one]))
  const shown = days.map((day) => statusDay(day, byDay.get(day)))
  const availability = availabilityOf(shown)
  return {
    component,
    state: stateOf(recent),
    availability,
    not_measured: availability === null ? UNMEASURED : null,
    days: shown,
  }
}

function statusDay(day: string, measured: MeasuredDay | undefined): StatusDay {
  const counts = {
    requests: Number(measured?.requests ?? 0),
    errors: Number(measured?.errors ?? 0),
    probes: Number(measured?.probes ?? 0),
    failed_probes: Number(measured?.failures ?? 0),
  }
  return { day, ...counts, availability: availabilityOf([counts]) }
}

function availabilityOf(days: readonly Omit<StatusDay, 'day' | 'availability'>[]): number | null {
  let [good, all] = [0, 0]
  for (const { requests, errors, probes, failed_probes } of days) {
    all += requests + probes
    good += requests - errors + probes - failed_probes
  }
  return all === 0 ? null : Number((good / all).toFixed(DIGITS))
}

function stateOf(recent: Recent | undefined): ComponentStatus['state'] {
  if (recent === undefined) return 'not_measured'
  if (recent.last_failed === true) return 'down'
  const requests = Number(recent.requests)
  if (requests === 0 && recent.last_failed === null) return 'not_measured'
  return requests > 0 && Number(recent.errors) / requests > DEGRADED_SHARE ? 'degraded' : 'up'
}
