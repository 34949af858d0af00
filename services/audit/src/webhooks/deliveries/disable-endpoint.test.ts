import type { UserActor } from '@tapeline/contracts/actor'
import { WEBHOOK_RETRY_DELAYS_S } from '@tapeline/contracts/audit/webhooks'
import { newEvent } from '@tapeline/contracts/event'
import { statusChanged } from '@tapeline/contracts/identity/events'
import { afterAll, expect, test } from 'vitest'
import { openTestWebhooks } from '../../../test/webhook-app.fixture.ts'

const { db, deps, clock, receiver, call, subscriber, announce, keyCreated, run, deliveries, close } =
  await openTestWebhooks()
afterAll(close)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Attempts a delivery until none is due any more within the day. */
async function runForADay(id: string): Promise<void> {
  for (const delayS of [...WEBHOOK_RETRY_DELAYS_S, 0]) {
    await run(id)
    clock.nowMs += delayS * 1_000
  }
}
const stateOf = async (actor: UserActor) => (await call(actor, 'GET', '')).json().data.endpoints[0]

async function setStatus({ userId }: UserActor, status: 'active' | 'inactive'): Promise<void> {
  const before = { status: status === 'active' ? ('inactive' as const) : ('active' as const) }
  const about = { id: deps.newId(), time: deps.now(), subject: userId, account: userId }
  const actor = { kind: 'service', service: 'identity' } as const
  await announce(
    newEvent(statusChanged, { ...about, actor, data: { user_id: userId, before, after: { status }, version: 2 } }),
  )
}

test('after five days without a success the endpoint is disabled and its owner notified', async () => {
  const { actor, id, path } = await subscriber()
  receiver.answer(path, { status: 500 })
  for (let day = 0; day < 5; day += 1) {
    expect(await stateOf(actor)).toMatchObject({ state: 'active' })
    await announce(keyCreated(actor))
    await runForADay(id)
  }
  expect(await stateOf(actor)).toMatchObject({ state: 'disabled', disabled_reason: 'failing' })
  expect(await deliveries(actor, id, '?state=failed')).toHaveLength(5)
  const notices = await db
    .selectFrom('notification')
    .select(['kind', 'title'])
    .where('account_id', '=', actor.userId)
    .execute()
  expect(notices).toContainEqual({ kind: 'webhook_disabled', title: 'Webhook endpoint “orders” was disabled' })
  const events = await db.selectFrom('outbox').select('envelope').where('subject', '=', id).execute()
  expect(JSON.stringify(events)).toContain('audit.webhook-disabled.v1')
})

test('the first failure after days without events is repeated; only a delivery that is given up disables', async () => {
  const { actor, id, path } = await subscriber()
  receiver.answer(path, { status: 500 })
  await announce(keyCreated(actor))
  await runForADay(id)
  clock.nowMs += 7 * DAY_MS
  await announce(keyCreated(actor))
  await run(id)
  expect(await stateOf(actor)).toMatchObject({ state: 'active' })
  receiver.answer(path, { status: 200 })
  clock.nowMs += 5_000
  expect(await run(id)).toBe(1)
  expect(await stateOf(actor)).toMatchObject({ state: 'active', failing_since: null })
  receiver.answer(path, { status: 500 })
  for (const pauseDays of [7, 0]) {
    await announce(keyCreated(actor))
    await runForADay(id)
    clock.nowMs += pauseDays * DAY_MS
  }
  expect(await stateOf(actor)).toMatchObject({ state: 'disabled' })
})

test.each([
  ['its URL is changed', (actor: UserActor, id: string) => call(actor, 'PUT', `/${id}`, { url: receiver.url('/new') })],
  [
    'its owner is active again',
    async (actor: UserActor) => {
      await setStatus(actor, 'inactive')
      await setStatus(actor, 'active')
    },
  ],
])('the five days of an endpoint begin again when %s', async (_when, change) => {
  const { actor, id, path } = await subscriber()
  receiver.answer(path, { status: 500 })
  receiver.answer('/new', { status: 500 })
  await announce(keyCreated(actor))
  await run(id)
  clock.nowMs += 6 * DAY_MS
  await change(actor, id)
  expect(await stateOf(actor)).toMatchObject({ state: 'active', failing_since: null })
  await runForADay(id)
  expect(await stateOf(actor)).toMatchObject({ state: 'active', failing_since: expect.any(String) })
})

test('what happens while an endpoint is disabled is kept as failed, and can be redelivered', async () => {
  const { actor, id, path } = await subscriber()
  receiver.answer(path, { status: 410 })
  await announce(keyCreated(actor))
  await run(id)
  const from = new Date(clock.nowMs).toISOString()
  clock.nowMs += HOUR_MS
  await announce(keyCreated(actor, 'missed'))
  expect(await run(id)).toBe(0)
  const [missed] = await deliveries(actor, id, '?state=failed')
  expect(missed).toMatchObject({ subject: 'missed', sequence: 2, tries: 0, next_attempt_at: null, last_attempt: null })
  receiver.answer(path, { status: 200 })
  await call(actor, 'PUT', `/${id}`, { state: 'active' })
  const to = new Date(clock.nowMs + 1).toISOString()
  expect((await call(actor, 'POST', `/${id}/redeliver`, { from, to })).json().data).toMatchObject({ redelivered: 2 })
  expect(await run(id)).toBe(2)
  expect((await deliveries(actor, id)).map(({ state, sequence }) => [state, sequence])).toEqual([
    ['delivered', 2],
    ['delivered', 1],
  ])
})

test('a success in between starts the five days again', async () => {
  const { actor, id, path } = await subscriber()
  for (const [status, pauseDays] of [
    [500, 3],
    [200, 0],
    [500, 0],
  ] as const) {
    receiver.answer(path, { status })
    await announce(keyCreated(actor))
    await (status === 200 ? run(id) : runForADay(id))
    clock.nowMs += pauseDays * DAY_MS
  }
  expect((await deliveries(actor, id)).map(({ state }) => state)).toEqual(['failed', 'delivered', 'failed'])
  expect(await stateOf(actor)).toMatchObject({ state: 'active' })
})

test('410 disables the endpoint immediately; activated again, it can redeliver what it missed', async () => {
  const { actor, id, path } = await subscriber()
  receiver.answer(path, { status: 410 })
  await announce(keyCreated(actor))
  await run(id)
  const [disabled] = (await call(actor, 'GET', '')).json().data.endpoints
  expect(disabled).toMatchObject({ state: 'disabled', disabled_reason: 'gone' })
  const [delivery] = await deliveries(actor, id)
  expect(delivery).toMatchObject({ state: 'failed', tries: 1 })
  expect((await call(actor, 'POST', `/${id}/deliveries/${delivery?.id}/redeliver`)).json().code).toBe(
    'webhook.inactive',
  )
  receiver.answer(path, { status: 204 })
  await call(actor, 'PUT', `/${id}`, { state: 'active' })
  const again = await call(actor, 'POST', `/${id}/deliveries/${delivery?.id}/redeliver`)
  expect([again.statusCode, again.json().data.state]).toEqual([202, 'waiting'])
  await run(id)
  expect(await deliveries(actor, id)).toMatchObject([{ state: 'delivered', sequence: 1 }])
  expect(new Set(receiver.receivedAt(path).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})
