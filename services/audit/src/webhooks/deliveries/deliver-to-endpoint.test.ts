import { createHmac } from 'node:crypto'
import { WEBHOOK_RETRY_DELAYS_S } from '@tapeline/contracts/audit/webhooks'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import type { ReceivedWebhook } from '../../../test/webhooks.fixture.ts'
import { openTestWebhooks } from '../../../test/webhook-app.fixture.ts'

const { clock, receiver, call, subscriber, announce, keyCreated, run, deliveries, detail, close } =
  await openTestWebhooks()
afterAll(close)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** As a receiver verifies: over what arrived, with the secret that was shown. */
function isSignedBy(secret: string, { headers, body }: ReceivedWebhook): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const mac = createHmac('sha256', key).update(signed).digest('base64')
  return String(headers['webhook-signature']).split(' ').includes(`v1,${mac}`)
}

test('an event is sent once, signed, with id, sequence number and data', async () => {
  const { actor, id, path, secret } = await subscriber()
  const event = keyCreated(actor)
  await announce(event)
  expect(await run(id)).toBe(1)
  expect(await run(id)).toBe(0)
  const [one, ...others] = receiver.receivedAt(path)
  if (one === undefined) throw new Error('nothing was sent')
  expect(others).toEqual([])
  expect(isSignedBy(secret, one)).toBe(true)
  expect(one.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': `evt_${event.id}`,
    'webhook-timestamp': String(Math.floor(clock.nowMs / 1_000)),
  })
  expect(JSON.parse(one.body)).toEqual({
    id: `evt_${event.id}`,
    type: 'key.created',
    timestamp: event.time,
    sequence: 1,
    data: { account_id: actor.userId, key_id: 'key-1', kid: 'k1', name: 'ci' },
  })
  expect(await deliveries(actor, id)).toMatchObject([
    { state: 'delivered', tries: 1, subject: 'ci', next_attempt_at: null, last_attempt: { status: 200, error: null } },
  ])
})

test('a failed delivery is repeated over 24 hours with the same id and body, then given up', async () => {
  const { actor, id, path } = await subscriber()
  receiver.answer(path, { status: 503, body: 'down' })
  await announce(keyCreated(actor))
  const startedMs = clock.nowMs
  for (const delayS of WEBHOOK_RETRY_DELAYS_S) {
    expect(await run(id)).toBe(1)
    clock.nowMs += delayS * 1_000 - 1
    expect(await run(id)).toBe(0)
    clock.nowMs += 1
  }
  expect(clock.nowMs - startedMs).toBe(DAY_MS)
  expect(await deliveries(actor, id)).toMatchObject([{ state: 'waiting', tries: 9, tries_max: 10 }])
  expect(await run(id)).toBe(1)
  expect(await run(id)).toBe(0)
  const [delivery] = await deliveries(actor, id, '?state=failed')
  if (delivery === undefined) throw new Error('it was not given up')
  expect(delivery).toMatchObject({ state: 'failed', tries: 10, next_attempt_at: null })
  const sent = receiver.receivedAt(path)
  expect(sent).toHaveLength(10)
  expect(new Set(sent.map(({ body, headers }) => `${String(headers['webhook-id'])} ${body}`)).size).toBe(1)
  expect(new Set(sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
  const shown = await detail(actor, id, delivery.id)
  expect(shown.attempts).toHaveLength(10)
  expect(shown).toMatchObject({ request: { body: sent[0]?.body }, response: { status: 503, body: 'down' } })
})

test('during the overlap of a rotation both secrets sign, afterwards only the new one', async () => {
  const { actor, id, path, secret: old } = await subscriber()
  const rotated = (await call(actor, 'POST', `/${id}/rotate-secret`, { overlap_hours: 2 })).json().data
  expect(rotated.secret).not.toBe(old)
  await announce(keyCreated(actor))
  await run(id)
  clock.nowMs += 2 * HOUR_MS
  await announce(keyCreated(actor))
  await run(id)
  const signed = receiver.receivedAt(path).map((one) => [isSignedBy(old, one), isSignedBy(rotated.secret, one)])
  expect(signed).toEqual([
    [true, true],
    [false, true],
  ])
})

test('rotations that are repeated because an answer was lost keep the oldest secret beside the latest two', async () => {
  const { actor, id, path, secret: inUse } = await subscriber()
  const rotate = async (overlap_hours: number) =>
    (await call(actor, 'POST', `/${id}/rotate-secret`, { overlap_hours })).json().data
  const [first, second, third] = [await rotate(4), await rotate(3), await rotate(2)]
  const until = new Date(clock.nowMs + 4 * HOUR_MS).toISOString()
  expect([first, second, third].map(({ endpoint }) => endpoint.previous_secret_until)).toEqual([until, until, until])
  await announce(keyCreated(actor))
  await run(id)
  clock.nowMs += 4 * HOUR_MS
  await announce(keyCreated(actor))
  await run(id)
  const secrets = [inUse, first.secret, second.secret, third.secret]
  const signed = receiver.receivedAt(path).map((one) => secrets.map((secret) => isSignedBy(secret, one)))
  expect(signed).toEqual([
    [true, false, true, true],
    [false, false, false, true],
  ])
  await rotate(1)
  await announce(keyCreated(actor))
  await run(id)
  const last = receiver.receivedAt(path).at(-1)
  expect(secrets.map((secret) => last !== undefined && isSignedBy(secret, last))).toEqual([false, false, false, true])
})

test('without an overlap all older secrets stop signing immediately', async () => {
  const { actor, id, path, secret: old } = await subscriber()
  const { secret: lost } = (await call(actor, 'POST', `/${id}/rotate-secret`, {})).json().data
  await call(actor, 'POST', `/${id}/rotate-secret`, { overlap_hours: 0 })
  await announce(keyCreated(actor))
  await run(id)
  expect(receiver.receivedAt(path).map((one) => [isSignedBy(old, one), isSignedBy(lost, one)])).toEqual([
    [false, false],
  ])
})

test('a range is redelivered: the failed ones by default, with their ids and numbers', async () => {
  const { actor, id, path } = await subscriber()
  const from = new Date(clock.nowMs).toISOString()
  for (const [status, name] of [
    [200, 'a'],
    [410, 'b'],
  ] as const) {
    receiver.answer(path, { status })
    await announce(keyCreated(actor, name))
    await run(id)
    clock.nowMs += 1_000
  }
  const to = new Date(clock.nowMs).toISOString()
  receiver.answer(path, { status: 200 })
  await call(actor, 'PUT', `/${id}`, { state: 'active' })
  await announce(keyCreated(actor, 'c'))
  await run(id)
  const redeliver = (body: object) => call(actor, 'POST', `/${id}/redeliver`, { from, to, ...body })
  expect((await redeliver({})).json().data).toEqual({ redelivered: 1, has_more: false })
  await run(id)
  expect((await redeliver({ state: 'delivered' })).json().data).toEqual({ redelivered: 2, has_more: false })
  await run(id)
  const sent = receiver.receivedAt(path).map(({ body }) => JSON.parse(body))
  const sequences = sent.map(({ sequence }) => sequence)
  expect(sequences.slice(0, 4)).toEqual([1, 2, 3, 2])
  // The last two are sent at once.
  expect(sequences.slice(4).toSorted((a, b) => a - b)).toEqual([1, 2])
  expect(new Set(sent.map((one) => one.id)).size).toBe(3)
})

test('a paused endpoint keeps its deliveries until it is active again', async () => {
  const { actor, id, path } = await subscriber()
  await call(actor, 'PUT', `/${id}`, { state: 'paused' })
  await announce(keyCreated(actor))
  expect(await run(id)).toBe(0)
  expect(await deliveries(actor, id)).toMatchObject([{ state: 'waiting' }])
  await call(actor, 'PUT', `/${id}`, { state: 'active' })
  expect(await run(id)).toBe(1)
  expect(receiver.receivedAt(path)).toHaveLength(1)
})

test('at most four requests are open to one endpoint', async () => {
  const { actor, id, path } = await subscriber()
  receiver.answer(path, 'never')
  for (let n = 0; n < 9; n += 1) await announce(keyCreated(actor, `key ${n}`))
  expect(await run(id, 3_000)).toBe(9)
  expect(receiver.openMaxOf(path)).toBe(4)
  const shown = await deliveries(actor, id)
  expect(shown.map(({ last_attempt }) => last_attempt?.error)).toEqual(Array.from({ length: 9 }, () => 'timeout'))
  expect(shown.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a redelivery that is requested during an attempt begins with all its attempts when that one has failed', async () => {
  const { actor, id, path } = await subscriber()
  receiver.answer(path, 'never')
  await announce(keyCreated(actor))
  const [delivery] = await deliveries(actor, id)
  const running = run(id, 10_000)
  await waitUntil('the attempt has begun', () => receiver.receivedAt(path).length === 1)
  receiver.answer(path, { status: 200 })
  clock.nowMs += 1_000
  await call(actor, 'POST', `/${id}/deliveries/${delivery?.id}/redeliver`)
  expect(await running).toBe(2)
  expect(await deliveries(actor, id)).toMatchObject([{ state: 'delivered', tries: 1 }])
  const { attempts } = await detail(actor, id, delivery?.id ?? '')
  expect(attempts.map(({ status, error }) => [status, error])).toEqual([
    [null, 'timeout'],
    [200, null],
  ])
})
