import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import { tiersChanged } from '@tapeline/contracts/config/events'
import { newEvent } from '@tapeline/contracts/event'
import { ACTOR_HEADER, signActorToken } from '@tapeline/service/actor-token'
import { someUser } from '@tapeline/testing/actors'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { openTestApp } from '../../test/app.fixture.ts'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { domainSubscriptions } from '../subscriptions.ts'
import { PLATFORM_SCOPE } from './append-stream-events.ts'
import { pruneStream } from './prune-stream.ts'
import { RESUMED_MAX, RESUMED_WITHIN_MS, StreamHub } from './stream-hub.ts'

const { app, db, deps, clock, ago, record, close } = await openTestApp('2026-03-10T12:34:56.789Z')
/** A second process of the service, on the same database. */
const other = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
const urls = [
  await app.listen({ port: 0, host: '127.0.0.1' }),
  await other.listen({ port: 0, host: '127.0.0.1' }),
] as const
afterAll(async () => {
  await other.close()
  await close()
})

const listening = domainSubscriptions(deps)
type ReceivedEvent = { id: string | undefined; event: string; data: Record<string, unknown> }
type Stream = {
  status: number
  text: () => string
  received: () => ReceivedEvent[]
  hasEnded: () => boolean
  disconnect: () => void
}

async function open(
  actor: UserActor,
  { url = urls[0], lastEventId }: { url?: string; lastEventId?: string } = {},
): Promise<Stream> {
  const controller = new AbortController()
  const token = signActorToken(testInternalKeys, { caller: 'gateway', audience: 'audit', actor, nowMs: clock.nowMs })
  const headers = { [ACTOR_HEADER]: token, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) }
  const response = await fetch(`${url}/api/v1/internal/events`, { headers, signal: controller.signal })
  let [text, hasEnded] = ['', false]
  const consume = async () => {
    for await (const piece of response.body ?? []) text += Buffer.from(piece).toString()
  }
  consume()
    .catch(() => {})
    .finally(() => (hasEnded = true))
  return {
    status: response.status,
    text: () => text,
    received: () => parse(text),
    hasEnded: () => hasEnded,
    disconnect: () => controller.abort(),
  }
}

function parse(text: string): ReceivedEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const fields = new Map(
      block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
    )
    const event = fields.get('event')
    return event === undefined ? [] : [{ id: fields.get('id'), event, data: JSON.parse(fields.get('data') ?? '{}') }]
  })
}

async function createKey(actor: UserActor, name = 'ci'): Promise<void> {
  const data = { key_id: 'key-1', kid: 'k1', account_id: actor.userId, name, version: 1 }
  const about = { id: deps.newId(), time: deps.now(), subject: 'key-1', account: actor.userId, actor }
  await deliverTwice(db, listening, newEvent(apiKeyCreated, { ...about, data }))
}
const names = (stream: Stream) => stream.received().map(({ event }) => event)
const expectEvents = (stream: Stream, ...events: string[]) =>
  waitUntil(`it receives ${events.join(', ')}`, () => names(stream).join() === events.join())

test('an event reaches all streams of its account once, at any process, and no other stream', async () => {
  const [actor, otherUser] = [someUser(), someUser()]
  const [here, elsewhere, otherUsers] = [await open(actor), await open(actor, { url: urls[1] }), await open(otherUser)]
  await Promise.all([here, elsewhere, otherUsers].map((stream) => expectEvents(stream, 'open')))
  await createKey(actor)
  for (const stream of [here, elsewhere]) await expectEvents(stream, 'open', 'change', 'notification')
  expect(here.received()[1]?.data).toEqual({
    type: 'api-key.created.v1',
    subject: 'key-1',
    time: deps.now().toISOString(),
  })
  expect(here.received()[2]?.data).toMatchObject({
    kind: 'key_created',
    title: 'API key “ci” was created',
    read_at: null,
  })
  const about = { id: deps.newId(), time: deps.now(), subject: 'tiers', account: null, actor }
  await deliverTwice(
    db,
    listening,
    newEvent(tiersChanged, { ...about, data: { version: 2, before: {}, after: {}, reason: null } }),
  )
  await expectEvents(otherUsers, 'open', 'change')
  expect(otherUsers.received()[1]?.data).toMatchObject({ type: 'config.tiers-changed.v2', subject: null })
  for (const stream of [here, elsewhere]) await expectEvents(stream, 'open', 'change', 'notification', 'change')
  for (const stream of [here, elsewhere, otherUsers]) stream.disconnect()
})

test('a client that resumes receives what it missed, once and in order, at any process', async () => {
  const actor = someUser()
  const first = await open(actor)
  await expectEvents(first, 'open')
  await createKey(actor, 'received')
  await expectEvents(first, 'open', 'change', 'notification')
  const lastEventId = first.received().at(-1)?.id ?? ''
  first.disconnect()
  for (const name of ['one', 'two']) await createKey(actor, name)
  const again = await open(actor, { url: urls[1], lastEventId })
  await expectEvents(again, 'open', 'change', 'notification', 'change', 'notification')
  await createKey(actor, 'three')
  await expectEvents(again, 'open', 'change', 'notification', 'change', 'notification', 'change', 'notification')
  const titles = again.received().flatMap(({ event, data }) => (event === 'notification' ? [data['title']] : []))
  expect(titles).toEqual(['one', 'two', 'three'].map((name) => `API key “${name}” was created`))
  again.disconnect()
})

test('a client that is disconnected again while it catches up still receives every missed event', async () => {
  const actor = someUser()
  const first = await open(actor)
  await expectEvents(first, 'open')
  const lastEventId = first.received()[0]?.id ?? ''
  first.disconnect()
  const created_at = deps.now().toISOString()
  const change = (scope: string, n: number) => ({ scope, name: 'change', data: JSON.stringify({ n }), created_at })
  await db
    .insertInto('stream_event')
    .values([change(actor.userId, 1), change(actor.userId, 2), change(PLATFORM_SCOPE, 3)])
    .execute()
  const again = await open(actor, { url: urls[1], lastEventId })
  await expectEvents(again, 'open', 'change', 'change', 'change')
  again.disconnect()
  for (const cutAfter of [0, 1, 2, 3]) {
    const received = again.received().slice(0, cutAfter + 1)
    const lastId = received.findLast(({ id }) => id !== undefined)?.id ?? lastEventId
    const next = await open(actor, { lastEventId: lastId })
    await expectEvents(next, 'open', ...Array.from({ length: 3 - cutAfter }, () => 'change'))
    const all = [...received, ...next.received()].flatMap(({ event, data }) => (event === 'change' ? [data['n']] : []))
    expect(all).toEqual([1, 2, 3])
    next.disconnect()
  }
})

test('a client that missed too much, was disconnected for too long, or sends an invalid id gets a reset', async () => {
  const actor = someUser()
  const far = { scope: actor.userId, name: 'change', data: '{}', created_at: deps.now().toISOString() }
  await db
    .insertInto('stream_event')
    .values(Array.from({ length: RESUMED_MAX + 1 }, () => far))
    .execute()
  for (const lastEventId of [`0.0.${clock.nowMs}`, `9.0.${clock.nowMs - RESUMED_WITHIN_MS - 1}`, 'nonsense']) {
    const stream = await open(actor, { lastEventId })
    await expectEvents(stream, 'open', 'reset')
    // A client that is disconnected before the reset must not resume behind it.
    expect(stream.received().map(({ id }) => id !== undefined)).toEqual([false, true])
    stream.disconnect()
  }
})

test('old events are dropped, and a client that resumes from them gets a reset', async () => {
  const actor = someUser()
  const at = (hours: number) => new Date(clock.nowMs - hours * 3_600_000).toISOString()
  const row = (hours: number) => ({ scope: actor.userId, name: 'change', data: '{}', created_at: at(hours) })
  await db
    .insertInto('stream_event')
    .values([row(3), row(1)])
    .execute()
  await pruneStream(deps)
  expect(
    await db.selectFrom('stream_event').select('position').where('scope', '=', actor.userId).execute(),
  ).toHaveLength(1)
})

test('live usage is sent when it changes', async () => {
  const actor = someUser()
  const use = async (used: number) => {
    const event = usageEvent({ account_id: actor.userId, at: ago(0) })
    event.data.decision.windows = [{ policy: 'min', used, limit: 10 }]
    await record(event)
  }
  const stream = await open(actor)
  await use(1)
  await expectEvents(stream, 'open', 'usage')
  clock.nowMs += 10
  await use(2)
  await expectEvents(stream, 'open', 'usage', 'usage')
  expect(stream.received()[2]).toEqual({
    id: undefined,
    event: 'usage',
    data: {
      at: ago(0).toISOString(),
      windows: [{ policy: 'min', used: 2, limit: 10 }],
      minute: { from: '2026-03-10T12:34:00.000Z', total: 2, failed: 0, denied: 0 },
    },
  })
  // The next read finds the same numbers and one change: only the change is sent.
  await createKey(actor)
  await expectEvents(stream, 'open', 'usage', 'usage', 'change', 'notification')
  expect(names(stream)).toHaveLength(5)
  stream.disconnect()
})

test('an account may have six streams open at a process; closing one frees its slot', async () => {
  const actor = someUser()
  const streams = await Promise.all(Array.from({ length: 6 }, () => open(actor)))
  const seventh = await open(actor)
  expect(seventh.status).toBe(429)
  await waitUntil('the reason is sent', () => seventh.text().includes('stream.too_many'))
  expect((await open(someUser())).status).toBe(200)
  streams[0]?.disconnect()
  await waitUntil('there is space', async () => {
    const next = await open(actor)
    streams.push(next)
    return next.status === 200
  })
  for (const stream of streams) stream.disconnect()
})

test('a process that stops ends its streams without waiting for them', async () => {
  const short = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  const stream = await open(someUser(), { url: await short.listen({ port: 0, host: '127.0.0.1' }) })
  await expectEvents(stream, 'open')
  await short.close()
  await waitUntil('the stream has ended', stream.hasEnded)
  expect(stream.received().at(-1)).toMatchObject({ event: 'end', data: { code: 'service.stopping' } })
})

test('a stream requested while the process stops is rejected', async () => {
  const hub = new StreamHub({ db, now: deps.now, onError: () => {} })
  const opening = hub.open(crypto.randomUUID(), undefined)
  hub.stop()
  await expect(opening).rejects.toMatchObject({ code: 'service.unavailable' })
  await expect(hub.open(crypto.randomUUID(), undefined)).rejects.toMatchObject({ code: 'service.unavailable' })
})
