import {
  apiKeyDeleted,
  apiKeyExpired,
  apiKeyExpiring,
  apiKeyLeaked,
  apiKeyRegenerated,
  apiKeyRevoked,
  apiKeyUpdated,
  apiKeyUsedFromNewNetwork,
} from '@tapeline/contracts/api-key/events'
import type { UserActor } from '@tapeline/contracts/actor'
import { subscriptionChanged, trialEnded, trialEnding, trialStarted } from '@tapeline/contracts/config/events'
import { type Event, newEvent } from '@tapeline/contracts/event'
import { accountDeleted, statusChanged, userSignedIn } from '@tapeline/contracts/identity/events'
import { dataCorrected, daySealed } from '@tapeline/contracts/market-data/events'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import { afterAll, expect, test } from 'vitest'
import { openTestWebhooks } from '../../../test/webhook-app.fixture.ts'
import { listDueEndpoints } from '../deliveries/delivery-queries.ts'
import { DEBOUNCE_MS } from './watch-limits.ts'

const { db, deps, clock, receiver, subscriber, announce, keyCreated, run, deliveries, close } = await openTestWebhooks()
afterAll(close)

const AT = '2026-04-01T00:00:00.000Z'
const about = (account: string | null) => ({
  id: deps.newId(),
  time: deps.now(),
  subject: account ?? 'platform',
  account,
  actor: { kind: 'service', service: 'config' } as const,
})
const key = ({ userId }: UserActor) => ({ key_id: 'key-1', kid: 'k1', account_id: userId, name: 'ci', version: 1 })
const plan = (tier: 'free' | 'basic' | 'pro', time_zone = 'UTC') => ({
  tier,
  rate_limits: null,
  time_zone,
  trial_ends_at: null,
  tier_after_trial: null,
})
const planChanged = ({ userId }: UserActor, before: ReturnType<typeof plan>, after: ReturnType<typeof plan>) =>
  newEvent(subscriptionChanged, {
    ...about(userId),
    data: { account_id: userId, before, after, version: 2, reason: null },
  })

function eventsOf(actor: UserActor): [string, Event<unknown>][] {
  const [owned, fact] = [about(actor.userId), key(actor)]
  const fresh = () => ({ ...owned, id: deps.newId() })
  const trial = { account_id: actor.userId, tier: 'pro', ends_at: AT, tier_after: 'basic' } as const
  const states = { before: { name: 'a' }, after: { name: 'ci' } }
  return [
    ['key.created', keyCreated(actor)],
    ['key.updated', newEvent(apiKeyUpdated, { ...fresh(), data: { ...fact, ...states } })],
    ['key.rotated', newEvent(apiKeyRegenerated, { ...fresh(), data: { ...fact, replaced_kid: 'k0' } })],
    ['key.revoked', newEvent(apiKeyRevoked, { ...fresh(), data: fact })],
    ['key.deleted', newEvent(apiKeyDeleted, { ...fresh(), data: fact })],
    ['key.expiring', newEvent(apiKeyExpiring, { ...fresh(), data: { ...fact, expires_at: AT, days_left: 7 } })],
    ['key.expired', newEvent(apiKeyExpired, { ...fresh(), data: { ...fact, expires_at: AT } })],
    [
      'key.used_from_new_network',
      newEvent(apiKeyUsedFromNewNetwork, { ...fresh(), data: { ...fact, network: '192.0.2.0/24' } }),
    ],
    ['key.leaked', newEvent(apiKeyLeaked, { ...fresh(), data: { ...fact, outcome: 'warned', url: null } })],
    ['plan.changed', planChanged(actor, plan('basic'), plan('pro'))],
    ['plan.trial_started', newEvent(trialStarted, { ...fresh(), data: trial })],
    ['plan.trial_ending', newEvent(trialEnding, { ...fresh(), data: { ...trial, days_left: 3 } })],
    ['plan.trial_ended', newEvent(trialEnded, { ...fresh(), data: { ...trial, because: 'over' } })],
  ]
}

test('each event of the account becomes one delivery, numbered without gaps, also when it arrives twice', async () => {
  const [{ actor, id, path }, other] = [await subscriber(), await subscriber()]
  const events = eventsOf(actor)
  for (const [, event] of events) await announce(event)
  expect(await run(id)).toBe(events.length)
  const sent = receiver.receivedAt(path).map(({ body }) => JSON.parse(body))
  const inOrder = sent.toSorted((a, b) => a.sequence - b.sequence)
  expect(inOrder.map(({ type, sequence, id: messageId }) => [type, sequence, messageId])).toEqual(
    events.map(([type, event], n) => [type, n + 1, `evt_${event.id}`]),
  )
  for (const { data } of inOrder) {
    expect(data).toMatchObject({ account_id: actor.userId })
    expect(data).not.toHaveProperty('version')
  }
  expect(await deliveries(other.actor, other.id)).toEqual([])
})

test('an endpoint gets only the types that it subscribes to', async () => {
  const { actor, id } = await subscriber({ event_types: ['key.revoked', 'plan.changed'] })
  for (const [, event] of eventsOf(actor)) await announce(event)
  const types = (await deliveries(actor, id)).map(({ type }) => type)
  expect(types.toSorted()).toEqual(['key.revoked', 'plan.changed'])
})

test('a sign-in from a new device is sent; one from a known device is not', async () => {
  const { actor, id, path } = await subscriber()
  for (const is_new_device of [false, true]) {
    const data = { user_id: actor.userId, session_id: crypto.randomUUID(), device: 'Firefox on Linux', is_new_device }
    const from = { kind: 'anonymous', network: '192.0.2.0/24' } as const
    await announce(newEvent(userSignedIn, { ...about(actor.userId), actor: from, data }))
  }
  await run(id)
  const sent = receiver.receivedAt(path).map(({ body }) => JSON.parse(body))
  expect(sent).toMatchObject([
    {
      type: 'session.new_device',
      data: { account_id: actor.userId, device: 'Firefox on Linux', network: '192.0.2.0/24' },
    },
  ])
})

test('a change of the time zone does not count as a change of the plan', async () => {
  const { actor, id } = await subscriber()
  await announce(planChanged(actor, plan('basic'), plan('basic', 'Europe/Paris')))
  expect(await deliveries(actor, id)).toEqual([])
})

test('with a tier that does not include webhooks only changes of the plan are sent', async () => {
  const { actor, id } = await subscriber()
  await announce(planChanged(actor, plan('basic'), plan('free')))
  await announce(keyCreated(actor))
  await announce(planChanged(actor, plan('free'), plan('basic')))
  await announce(keyCreated(actor))
  const types = (await deliveries(actor, id)).map(({ type }) => type)
  expect(types.toSorted()).toEqual(['key.created', 'plan.changed', 'plan.changed'])
})

test('sealed and corrected days are sent to every account that subscribes to them', async () => {
  const [one, two] = [await subscriber(), await subscriber({ event_types: ['data.corrected'] })]
  const day = {
    venue: 'sim',
    symbol: 'BTC-USDT',
    instrument_id: 1,
    channel: 'trades',
    date: '2026-03-09',
    file_id: 'f',
    revision: 2,
  } as const
  const sealed = { ...day, rows: 3, bytes: 100, sha256: 'a'.repeat(64) }
  await announce(newEvent(daySealed, { ...about(null), data: sealed }))
  const correction = { ...day, previous_revision: 1, rows_before: 3, rows_after: 4 }
  await announce(newEvent(dataCorrected, { ...about(null), data: correction }))
  const typesOf = async ({ actor, id }: typeof one) => (await deliveries(actor, id)).map(({ type }) => type).toSorted()
  expect([await typesOf(one), await typesOf(two)]).toEqual([['data.corrected', 'data.day_sealed'], ['data.corrected']])
})

test('a threshold of the month is sent once per level', async () => {
  const { actor, id } = await subscriber()
  const used = (count: number) =>
    usageEvent({
      account_id: actor.userId,
      at: deps.now(),
      decision: {
        verdict: 'admitted',
        degraded: false,
        denied_by: [],
        retry_after_ms: 0,
        windows: [{ policy: 'month', used: count, limit: 100, reset_ms: 1_000_000 }],
      },
    })
  for (const count of [60, 70, 75, 80, 90, 100, 100]) await announce(used(count))
  const subjects = (await deliveries(actor, id)).map(({ subject }) => subject)
  expect(subjects.toSorted()).toEqual(['month, 100%', 'month, 70%', 'month, 80%'])
})

test('denied requests are sent once per limit and ten minutes', async () => {
  const { actor, id } = await subscriber({ event_types: ['limit.reached'] })
  const denied = (policy: 'min' | 'day') =>
    deniedUsageEvent({
      account_id: actor.userId,
      at: deps.now(),
      decision: {
        verdict: 'denied',
        degraded: false,
        denied_by: [policy],
        retry_after_ms: 1_000,
        windows: [{ policy, used: 11, limit: 10 }],
      },
    })
  for (const policy of ['min', 'min', 'day', 'min'] as const) await announce(denied(policy))
  expect((await deliveries(actor, id)).map(({ subject }) => subject).toSorted()).toEqual([
    'day, account',
    'min, account',
  ])
  clock.nowMs += DEBOUNCE_MS
  await announce(denied('min'))
  expect(await deliveries(actor, id)).toHaveLength(3)
})

test('the endpoints of a deleted account are deleted with their deliveries', async () => {
  const { actor, id } = await subscriber()
  await announce(keyCreated(actor))
  const end = { ...about(actor.userId), actor: { kind: 'service', service: 'identity' } as const }
  await announce(newEvent(accountDeleted, { ...end, data: { user_id: actor.userId, version: 3 } }))
  for (const table of ['webhook_endpoint', 'webhook_delivery'] as const) {
    const rows = await db.selectFrom(table).select('id').where('account_id', '=', actor.userId).execute()
    expect(rows, `${table} of ${id}`).toEqual([])
  }
})

test('an inactive account gets no webhooks; what was waiting is delivered once it is active again', async () => {
  const { actor, id, path } = await subscriber()
  const other = await subscriber()
  const setStatus = (status: 'active' | 'inactive') => {
    const before = { status: status === 'active' ? ('inactive' as const) : ('active' as const) }
    const data = { user_id: actor.userId, before, after: { status }, version: 2 }
    return announce(newEvent(statusChanged, { ...about(actor.userId), data }))
  }
  await announce(keyCreated(actor, 'waiting'))
  await setStatus('inactive')
  await announce(keyCreated(actor, 'not sent'))
  await announce(keyCreated(other.actor))
  expect([await run(id), await run(other.id)]).toEqual([0, 1])
  expect(await listDueEndpoints(db, deps.now(), { limit: 1_000, after: undefined })).not.toContain(id)
  await setStatus('active')
  expect(await listDueEndpoints(db, deps.now(), { limit: 1_000, after: undefined })).toContain(id)
  await announce(keyCreated(actor, 'sent'))
  expect(await run(id)).toBe(2)
  const names = receiver.receivedAt(path).map(({ body }) => (JSON.parse(body) as { data: { name: string } }).data.name)
  expect(names.toSorted()).toEqual(['sent', 'waiting'])
})
