import type { ServerResponse } from 'node:http'
import type { AccountRecord } from '@tapeline/contracts/identity/http'
import { raiseVersion } from '@tapeline/service/account-versions'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { accessTokenFor, addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'

const EVENTS = '/api/v1/internal/events'
const EXPORT = '/api/v1/internal/requests/export'
const SAMPLE = '/api/v1/sample/stream/BTC-USDT'
const MAX = 3
/** Nothing is counted here and no change event arrives: versions invalidate. */
const NO_TOPICS = { KAFKA_TOPIC_PREFIX: 'streams-have-none-' }
/** The limit is five seconds, but the test machine may be busy. */
const SOON_MS = 30_000

let edge: Edge
let gateway: TestGateway
let redis: Redis
/** Streams that the service holds open, by path. */
let open: { path: string; reply: ServerResponse }[] = []

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge, {
    UPSTREAM_CONNECTIONS_MAX: '1',
    STREAMS_MAX: String(MAX),
    ...NO_TOPICS,
  })
  redis = new Redis(testServers().redisUrl)
})
afterAll(async () => {
  redis.disconnect()
  await gateway.stop()
  await edge.stop()
})
beforeEach(() => {
  open = []
  edge.upstream = ({ url = '' }, reply) => {
    if (url !== EVENTS && url !== EXPORT) {
      reply.end('{}')
      return
    }
    const one = { path: url, reply }
    open.push(one)
    reply.on('close', () => (open = open.filter((other) => other !== one)))
    reply.writeHead(200, { 'content-type': url === EVENTS ? 'text/event-stream; charset=utf-8' : 'text/csv' })
    reply.write(url === EVENTS ? 'event: open\ndata: {}\n\n' : 'time,status\r\n')
  }
})

type Reading = { status: number; text: string; hasEnded: boolean; isBroken: boolean; disconnect: () => void }

/** Opens a stream and keeps reading it. */
async function read(path: string, credential: string): Promise<Reading> {
  const controller = new AbortController()
  const headers = { authorization: `Bearer ${credential}` }
  const response = await fetch(gateway.url + path, { headers, signal: controller.signal })
  const reading = {
    status: response.status,
    text: '',
    hasEnded: false,
    isBroken: false,
    disconnect: () => controller.abort(),
  }
  const consume = async () => {
    for await (const piece of response.body ?? []) reading.text += Buffer.from(piece).toString()
  }
  consume()
    .catch(() => (reading.isBroken = true))
    .finally(() => (reading.hasEnded = true))
  return reading
}

/** As identity does it: the record first, then its version for the gateways. */
async function change({ id }: TestAccount, fields: Partial<AccountRecord>): Promise<void> {
  const record = edge.accounts.get(id)
  if (record === undefined) throw new Error('no such account')
  const version = record.version + 1
  edge.accounts.set(id, { ...record, ...fields, version })
  await raiseVersion(redis, { accountId: id, field: 'u', version })
}

test('the stream of a signed-out session ends with the reason, also at the service; other streams continue', async () => {
  const account = addAccount(edge)
  const [mine, others] = [accessTokenFor(account.id, { sid: 'mine' }), accessTokenFor(account.id, { sid: 'other' })]
  const [signedOut, export_, remaining] = [
    await read(EVENTS, mine),
    await read(EXPORT, mine),
    await read(EVENTS, others),
  ]
  await waitUntil('all have begun', () => [signedOut, export_, remaining].every(({ text }) => text !== ''))
  await change(account, { ended_session_ids: ['mine'] })
  await waitUntil('both have ended', () => signedOut.hasEnded && export_.hasEnded, SOON_MS)
  expect(signedOut.text).toBe('event: open\ndata: {}\n\nevent: end\ndata: {"code":"session.ended"}\n\n')
  expect(signedOut.isBroken).toBe(false)
  // An incomplete file must not look complete.
  expect([export_.isBroken, export_.text]).toEqual([true, 'time,status\r\n'])
  await waitUntil('the service counts the open streams', () => open.length === 1)
  open[0]?.reply.write('event: usage\ndata: {}\n\n')
  await waitUntil('the other stream still receives events', () => remaining.text.endsWith('event: usage\ndata: {}\n\n'))
  remaining.disconnect()
  await waitUntil('the service counts the open streams', () => open.length === 0)
})

test('after a change of role the stream ends with the reason, and the next one has the new role', async () => {
  const account = addAccount(edge)
  const [stream, export_] = [await read(EVENTS, account.accessToken), await read(EXPORT, account.accessToken)]
  await waitUntil('both have begun', () => stream.text !== '' && export_.text !== '')
  // A change that does not affect the service ends no stream.
  await change(account, { ended_session_ids: ['another'] })
  await change(account, { role: 'admin' })
  await waitUntil('the stream has ended', () => stream.hasEnded, SOON_MS)
  expect(stream.text).toBe('event: open\ndata: {}\n\nevent: end\ndata: {"code":"service.unavailable"}\n\n')
  expect(export_.hasEnded).toBe(false)
  const again = await read(EVENTS, account.accessToken)
  await waitUntil('it has begun again', () => again.text !== '')
  for (const one of [again, export_]) one.disconnect()
  await waitUntil('the service counts the open streams', () => open.length === 0)
})

test('a stream ends with the access token that opened it', async () => {
  const { id } = addAccount(edge)
  // On a busy machine a short life may end before the stream is open.
  let livesS = 2
  const stream = await waitUntil('a stream opens in the life of its token', async () => {
    livesS *= 2
    const opened = await read(EVENTS, accessTokenFor(id, { exp: Math.floor(Date.now() / 1_000) + livesS }))
    return opened.status === 200 ? opened : undefined
  })
  await waitUntil('it has ended', () => stream.hasEnded, SOON_MS)
  expect(stream.text).toContain('event: end\ndata: {"code":"credential.invalid"}')
  await waitUntil('the service counts the open streams', () => open.length === 0)
})

test('streams use no connections of other calls, and their number is bounded', async () => {
  const { accessToken } = addAccount(edge)
  const streams = await Promise.all(Array.from({ length: MAX }, () => read(EVENTS, accessToken)))
  await waitUntil('all are open', () => open.length === MAX, SOON_MS)
  expect((await read('/api/v1/internal/notifications', accessToken)).status).toBe(200)
  expect((await read(EVENTS, accessToken)).status).toBe(503)
  streams[0]?.disconnect()
  await waitUntil('there is space again', async () => {
    const next = await read(EVENTS, accessToken)
    streams.push(next)
    return next.status === 200
  })
  for (const stream of streams) stream.disconnect()
  await waitUntil('the service counts the open streams', () => open.length === 0)
})

test('an event reaches a caller with an API key at once, although its request is counted', async () => {
  const account = addAccount(edge)
  const event = 'event: open\ndata: {}\n\n'
  edge.upstream = (_request, reply) => {
    open.push({ path: SAMPLE, reply })
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).write(event)
  }
  const stream = await read(SAMPLE, account.apiKey)
  await waitUntil('the event is there', () => stream.text === event)
  open[0]?.reply.end(event)
  await waitUntil('it has ended', () => stream.hasEnded)
  expect([stream.text, stream.isBroken]).toEqual([event + event, false])
  const usage = await waitUntil('its usage', () => gateway.usage().find((one) => one.account_id === account.id))
  expect(usage).toMatchObject({ status: 200, outcome: 'ok', bytes_out: 2 * event.length })
})

test('an export that the service does not begin is a 504 before the idle timeout of its connection', async () => {
  edge.upstream = (_request, reply) => void open.push({ path: EXPORT, reply })
  const { accessToken } = addAccount(edge)
  const response = await fetch(gateway.url + EXPORT, { headers: { authorization: `Bearer ${accessToken}` } })
  expect([response.status, await response.json()]).toMatchObject([504, { code: 'upstream.timed_out' }])
  await waitUntil('the call to the service has ended', () => open[0]?.reply.closed)
})

test('a stopping gateway ends its streams with a reconnect delay', async () => {
  const second = await startTestGateway(edge, NO_TOPICS)
  const first = gateway
  gateway = second
  const stream = await read(EVENTS, addAccount(edge).accessToken)
  await waitUntil('it has begun', () => stream.text !== '')
  gateway = first
  await second.stop()
  await waitUntil('it has ended', () => stream.hasEnded)
  expect(stream.text).toContain('event: end\ndata: {"code":"service.unavailable"}')
})
