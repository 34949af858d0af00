import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { findPython, PYTHON_IS_MISSING } from '@tapeline/testing/programs/python'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addAccount, addKey, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { startGatewayProcess } from '../../test/gateway-process.fixture.ts'
import { openStream, rejectedStream } from '../../test/stream-client.fixture.ts'
import { startStreamService, type StreamService } from '../../test/stream-service.fixture.ts'

const STREAM = '/api/v1/stream'
const NO_TOPICS = { KAFKA_TOPIC_PREFIX: 'live-streams-have-none-' }
const run = promisify(execFile)

let edge: Edge
let service: StreamService
let gateway: TestGateway
let account: TestAccount
let url: string

beforeAll(async () => {
  edge = await startEdge()
  service = await startStreamService()
  gateway = await startTestGateway(edge, {
    MARKET_DATA_URL: service.url,
    ...NO_TOPICS,
  })
  url = gateway.url + STREAM
})
afterAll(async () => {
  await gateway.stop()
  await service.stop()
  await edge.stop()
})
beforeEach(async () => {
  await waitUntil('the streams of the previous test are closed', () => service.open.size === 0)
  account = addAccount(edge)
  service.onOpen = (socket) => socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
})

test('a WebSocket passes the gateway by key and by access token, with the actor instead of the credential', async () => {
  const received: (string | string[] | undefined)[][] = []
  service.onOpen = (socket, { headers }) => {
    received.push([headers['x-api-key'], headers.authorization, headers['sec-websocket-protocol']])
    expect(headers['x-actor']).toMatch(/^\S{40,}$/)
    socket.send('hello')
  }
  for (const headers of [{ 'x-api-key': account.apiKey }, { authorization: `Bearer ${account.accessToken}` }]) {
    const { socket, messages } = await openStream(url, headers)
    await waitUntil('the first message', () => messages[0] === 'hello')
    expect(socket.protocol).toBe('tapeline.v1')
    socket.close()
  }
  expect(received).toEqual([
    [undefined, undefined, 'tapeline.v1'],
    [undefined, undefined, 'tapeline.v1'],
  ])
})

test('messages of every size pass in both directions, byte for byte', async () => {
  const { socket, messages, closed } = await openStream(url, { 'x-api-key': account.apiKey })
  const sent = [0, 1, 125, 126, 65_535, 65_536, 1_000_000].map((length) => 'x'.repeat(length))
  for (const text of sent) socket.send(text)
  await waitUntil('all are back', () => messages.length === sent.length)
  expect(messages).toEqual(sent)
  socket.close(1000, 'done')
  expect(await closed).toEqual({ code: 1000, reason: 'done' })
  await waitUntil('the service has no connection left', () => service.open.size === 0)
})

test('the stream is one counted request, with the time until it was opened', async () => {
  const { socket } = await openStream(url, { 'x-api-key': account.apiKey })
  socket.close()
  const usage = await waitUntil('the event', () => gateway.usage().find((event) => event.account_id === account.id))
  expect(usage).toMatchObject({ route: STREAM, status: 101, outcome: 'ok', method: 'GET' })
  const report = await fetch(`${gateway.url}/api/v1/limits`, { headers: { 'x-api-key': account.apiKey } })
  const { data } = (await report.json()) as { data: { windows: { policy: string; used: number }[] } }
  expect(data.windows.map(({ policy, used }) => [policy, used])).toEqual([
    ['burst', expect.any(Number)],
    ['min', 1],
    ['hour', 1],
    ['day', 1],
    ['month', 1],
    ['conc', 0],
  ])
})

test('the deliveries of a stream are counted as usage when it ends, by key and by token', async () => {
  service.onOpen = (socket) => ['a', 'bb', 'ccc'].forEach((message) => socket.send(message))
  for (const headers of [{ 'x-api-key': account.apiKey }, { authorization: `Bearer ${account.accessToken}` }]) {
    const { socket, messages, closed } = await openStream(url, headers)
    await waitUntil('all are there', () => messages.length === 3)
    socket.close()
    await closed
  }
  const events = await waitUntil('both events', () => {
    const found = gateway.streamUsage().filter((event) => event.account_id === account.id)
    return found.length === 2 ? found : undefined
  })
  const delivered = { transport: 'websocket', opened: true, ended: true, messages: 3, network: '127.0.0.0/24' }
  for (const event of events) expect(event).toMatchObject(delivered)
  expect(events.every(({ bytes_out }) => bytes_out >= 12)).toBe(true)
  expect(events.map(({ kid }) => kid === null)).toEqual([false, true])
  const opening = gateway.usage().filter((event) => event.account_id === account.id)
  expect(events.map((event) => event.connection_id)).toEqual(opening.map((event) => event.request_id))
})

test('a stream that the service rejects delivered nothing', async () => {
  const response = await fetch(url, { headers: { 'x-api-key': account.apiKey } })
  expect(response.status).toBe(404)
  await waitUntil('the request', () => gateway.usage().some((event) => event.account_id === account.id))
  expect(gateway.streamUsage().some((event) => event.account_id === account.id)).toBe(false)
})

test.each([
  ['no credential', {}, 401, 'credential.missing'],
  ['a wrong key', { 'x-api-key': 'tl_live_none' }, 401, 'credential.invalid'],
  ['a foreign page', { origin: 'https://evil.example' }, 403, 'request.forbidden'],
])('%s is rejected with a problem before the connection switches', async (_what, headers, status, code) => {
  const credential = Object.keys(headers).includes('origin') ? { 'x-api-key': account.apiKey } : {}
  const rejected = await rejectedStream(url, { ...credential, ...headers })
  expect([rejected.status, rejected.body.code]).toEqual([status, code])
  expect(rejected.headers['content-type']).toBe('application/problem+json')
  expect(service.open.size).toBe(0)
})

test('a key without the scope is rejected, and the rejection is counted', async () => {
  const { apiKey } = addKey(edge, account, { scopes: ['trades:read'] })
  const { status, body } = await rejectedStream(url, { 'x-api-key': apiKey })
  expect([status, body.code, body.scope]).toEqual([403, 'api_key.scope_missing', 'stream:read'])
  const usage = await waitUntil('the event', () => gateway.usage().find((event) => event.account_id === account.id))
  expect(usage).toMatchObject({ status: 403, decision: { verdict: 'refused' } })
})

test('a page of the platform may open a stream', async () => {
  const { socket } = await openStream(url, { 'x-api-key': account.apiKey, origin: 'http://localhost:3000' })
  expect(socket.readyState).toBe(socket.OPEN)
  socket.close()
})

test('when the service is unavailable, a stream is closed with a reason, and a new one gets a 503', async () => {
  const other = await startStreamService()
  other.onOpen = (socket) => socket.send('hello')
  const second = await startTestGateway(edge, {
    MARKET_DATA_URL: other.url,
    ...NO_TOPICS,
  })
  const { messages, closed } = await openStream(second.url + STREAM, { 'x-api-key': account.apiKey })
  await waitUntil('it is open', () => messages.length === 1)
  await other.stop()
  expect(await closed).toEqual({ code: 1011, reason: 'upstream.unavailable' })
  expect(messages.slice(1).map((text) => JSON.parse(text).type)).toEqual(['error', 'goodbye'])
  expect((await rejectedStream(second.url + STREAM, { 'x-api-key': account.apiKey })).status).toBe(503)
  await second.stop()
})

test('a stopping gateway sends its streams a request to reconnect', async () => {
  const second = await startTestGateway(edge, {
    MARKET_DATA_URL: service.url,
    ...NO_TOPICS,
  })
  const { messages, closed } = await openStream(second.url + STREAM, { 'x-api-key': account.apiKey })
  await second.stop()
  expect(await closed).toEqual({ code: 1001, reason: 'service.unavailable' })
  expect(JSON.parse(messages.at(-1) ?? '')).toEqual({ type: 'goodbye', reason: 'restart', cursors: {} })
})

test('a Python client of the package websockets', { timeout: 120_000 }, async ({ skip }) => {
  const python = await findPython()
  if (python === undefined) return skip(PYTHON_IS_MISSING)
  const script = join(import.meta.dirname, '..', '..', 'test', 'stream-client.py')
  const subscription = '{"op":"subscribe","id":"a","channel":"trades"}'
  service.onOpen = (socket) =>
    socket.on('message', (data) => {
      socket.send(data, { binary: false })
      socket.send('{"type":"heartbeat"}')
    })
  const { stdout } = await run(python, [script, url.replace('http', 'ws'), account.apiKey, '2', subscription])
  expect(stdout.trim().split('\n')).toEqual([subscription, '{"type":"heartbeat"}'])
})

test.each(['GET', 'HEAD'])('%s: an event stream that the service ends immediately is complete', async (method) => {
  service.onRequest = (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: goodbye\ndata: {}\n\n')
  }
  const response = await fetch(url, { method, headers: { 'x-api-key': account.apiKey } })
  const whole = method === 'GET' ? 'event: goodbye\ndata: {}\n\n' : ''
  expect([response.status, await response.text()]).toEqual([200, whole])
})

test.each([
  ['another protocol', STREAM, 'GET', 'h2c', '', 406],
  ['another path', '/api/v1/limits', 'GET', 'websocket', '', 200],
  ['another method', STREAM, 'POST', 'websocket', '', 405],
  ['a body', STREAM, 'GET', 'websocket', '{}', 406],
] as const)('Upgrade is ignored: %s', async (...[, path, method, upgrade, body, status]) => {
  service.onRequest = (_request, reply) => reply.writeHead(406).end()
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  const head = [`${method} ${path} HTTP/1.1`, 'host: x', 'connection: upgrade, close', `upgrade: ${upgrade}`]
  const length = body === '' ? [] : [`content-length: ${body.length}`]
  socket.write([...head, ...length, `x-api-key: ${account.apiKey}`, '', body].join('\r\n'))
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(service.open.size).toBe(0)
})

test('metrics count the deliveries of streams, and SIGTERM sends clients a request to reconnect', async () => {
  const second = await startGatewayProcess(edge, { ...NO_TOPICS, MARKET_DATA_URL: service.url })
  service.onOpen = (socket) => ['a', 'b', 'c'].forEach((message) => socket.send(message))
  const { closed, messages } = await openStream(second.url + STREAM, { 'x-api-key': account.apiKey })
  await waitUntil('all are there', () => messages.length === 3)
  const lines = (await second.metrics()).split('\n')
  expect(lines.filter((line) => line.startsWith('gateway_live_stream'))).toEqual([
    'gateway_live_streams 1',
    'gateway_live_stream_messages_total 3',
    'gateway_live_stream_bytes_total 9',
  ])
  expect(await second.stop()).toBe(0)
  expect(await closed).toEqual({ code: 1001, reason: 'service.unavailable' })
})

test('server-sent events pass as they are sent', async () => {
  service.onRequest = (request, reply) => {
    expect([request.url, request.headers['last-event-id']]).toEqual([`${STREAM}?channel=trades`, 'c1'])
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: trades\ndata: {}\nid: c2\n\n')
  }
  const controller = new AbortController()
  const headers = { 'x-api-key': account.apiKey, 'last-event-id': 'c1' }
  const response = await fetch(`${url}?channel=trades`, { headers, signal: controller.signal })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  expect(Buffer.from(value ?? []).toString()).toBe('event: trades\ndata: {}\nid: c2\n\n')
  controller.abort()
  await waitUntil('the event', () => gateway.usage().some((event) => event.account_id === account.id))
})
