import { COMPONENTS } from '@tapeline/contracts/audit/status'
import { afterAll, expect, test } from 'vitest'
import { openTestWebhooks } from '../../test/webhook-app.fixture.ts'
import type { Component } from '@tapeline/contracts/audit/status'
import { INCIDENT_PROBES, trackIncidents } from './track-incidents.ts'

const { db, deps, clock, subscriber, deliveries, close } = await openTestWebhooks()
afterAll(close)

const MINUTE_MS = 60_000

/** One probe a minute; each is reported twice, as after a repeated job. */
async function probe(component: Component, ...results: ('ok' | 'failed')[]): Promise<void> {
  for (const result of results) {
    clock.nowMs += MINUTE_MS
    const probes = [{ component, at: deps.now(), hasFailed: result === 'failed' }]
    for (const _ of [1, 2]) await db.transaction().execute((trx) => trackIncidents(deps, trx, probes))
  }
}

test('three failed probes open an incident and three good ones resolve it, for every account that subscribes', async () => {
  const [one, two, other] = [await subscriber(), await subscriber(), await subscriber({ event_types: ['key.created'] })]
  await probe('market-data', 'ok', 'failed', 'failed', 'ok', 'failed', 'failed')
  expect(await deliveries(one.actor, one.id)).toEqual([])
  const openedAt = new Date(clock.nowMs - MINUTE_MS).toISOString()
  await probe('market-data', 'failed', 'failed', 'ok', 'failed', 'ok', 'ok')
  expect((await deliveries(one.actor, one.id)).map(({ type }) => type)).toEqual(['incident.opened'])
  await probe('market-data', 'ok', 'ok')
  for (const { actor, id } of [one, two]) {
    expect((await deliveries(actor, id)).map(({ type, subject }) => [type, subject])).toEqual([
      ['incident.resolved', 'market-data'],
      ['incident.opened', 'market-data'],
    ])
  }
  expect(await deliveries(other.actor, other.id)).toEqual([])
  const rows = await db
    .selectFrom('webhook_delivery')
    .select(['type', 'data'])
    .where('endpoint_id', '=', one.id)
    .execute()
  expect(rows.find(({ type }) => type === 'incident.resolved')?.data).toMatchObject({
    component: 'market-data',
    opened_at: openedAt,
    duration_seconds: 6 * 60,
  })
})

test('incidents of components are independent of each other', async () => {
  const { actor, id } = await subscriber({ event_types: ['incident.opened'] })
  const failing = Array.from({ length: INCIDENT_PROBES }, () => 'failed' as const)
  for (const component of COMPONENTS) await probe(component, ...failing)
  expect((await deliveries(actor, id)).map(({ subject }) => subject).toSorted()).toEqual([...COMPONENTS].toSorted())
})
