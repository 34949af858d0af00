import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { enqueue } from '../webhooks/sources/enqueue.ts'
import { continueStreak, insertIncident, markIncidentResolved, type Streak } from './incident-queries.ts'
import type { Probe } from './status-queries.ts'

/** Consecutive probes that open or resolve an incident: a single failed probe is not an incident. */
export const INCIDENT_PROBES = 3
const SECOND_MS = 1_000

export type IncidentDeps = Pick<Deps, 'now' | 'newId' | 'settings'>

/**
 * Opens and resolves incidents of components from their latest probes, and queues `incident.opened` and
 * `incident.resolved` for every account that subscribes to them. Idempotent: a probe counts once.
 */
export async function trackIncidents(
  deps: IncidentDeps,
  trx: Transaction<Tables>,
  probes: readonly Probe[],
): Promise<void> {
  for (const probe of probes) {
    const streak = await continueStreak(trx, probe)
    if (streak === undefined || streak.length < INCIDENT_PROBES) continue
    await (streak.failed ? openIncident(deps, trx, streak) : resolveIncident(deps, trx, streak))
  }
}

async function openIncident(deps: IncidentDeps, trx: Transaction<Tables>, streak: Streak): Promise<void> {
  const { component, since: openedAt } = streak
  const id = deps.newId()
  if (!(await insertIncident(trx, { id, component, openedAt }))) return
  await enqueue(deps, trx, {
    eventId: deps.newId(),
    accountId: null,
    type: 'incident.opened',
    subject: component,
    occurredAt: openedAt,
    data: { incident_id: id, component, opened_at: openedAt.toISOString() },
  })
}

async function resolveIncident(deps: IncidentDeps, trx: Transaction<Tables>, streak: Streak): Promise<void> {
  const { component, since: resolvedAt } = streak
  const incident = await markIncidentResolved(trx, component, resolvedAt)
  if (incident === undefined) return
  const { id, opened_at: openedAt } = incident
  await enqueue(deps, trx, {
    eventId: deps.newId(),
    accountId: null,
    type: 'incident.resolved',
    subject: component,
    occurredAt: resolvedAt,
    data: {
      incident_id: id,
      component,
      opened_at: openedAt.toISOString(),
      resolved_at: resolvedAt.toISOString(),
      duration_seconds: Math.round((resolvedAt.getTime() - openedAt.getTime()) / SECOND_MS),
    },
  })
}
