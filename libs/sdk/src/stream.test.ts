import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { hangUp, problem, type ReceivedRequest, silence, startFaultyServer } from '../test/faulty-server.fixture.ts'
import { Tapeline } from './tapeline.ts'
import { TapelineError } from './tapeline-error.ts'
import { pause } from './timers.ts'

const COUNT = 40

/** Sends the records after the cursor, `perConnection` of them, then ends the connection by `end`. */
function serve(perConnection: number, end: 'cut' | 'half' | 'goodbye' | 'slow_consumer') {
  return (reply: ServerResponse, { path }: ReceivedRequest) => {
    const cursor = new URL(path, 'http://x').searchParams.get('cursor')
    const from = cursor === null ? 0 : Number(cursor)
    const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.write(event('subscribed', { type: 'subscribed', cursor: String(from) }))
    const to = Math.min(from + perConnection, COUNT)
    for (let n = from; n < to; n += 2) {
      const data = [n, n + 1].filter((sequence) => sequence < to).map((sequence) => ({ sequence: String(sequence) }))
      reply.write(event('trades', { type: 'trades', data, cursor: String(n + data.length) }))
    }
    if (to === COUNT) return
    if (end === 'half') reply.write(event('trades', { data: [{ sequence: 'x' }], cursor: '99' }).slice(0, 30))
    if (end === 'goodbye' || end === 'slow_consumer')
      reply.write(event(end, { type: end, cursors: { '': String(to) } }))
    setTimeout(() => reply.destroy(), 20)
  }
}

const clientOf = (baseUrl: string) => new Tapeline({ apiKey: 'tl_test_1', baseUrl })
const SEQUENCES = Array.from({ length: COUNT }, (_value, n) => String(n))

test.each(['cut', 'half', 'goodbye', 'slow_consumer'] as const)(
  'a stream that ends by %s continues at its cursor: nothing is missing or repeated',
  async (end) => {
    const server = await startFaultyServer(serve(7, end), hangUp, problem(503, 'data.unavailable'), serve(9, end))
    const received: string[] = []
    for await (const { sequence } of clientOf(server.url).stream({ channel: 'trades', symbols: ['A', 'B'] })) {
      received.push(sequence)
      if (received.length === COUNT) break
    }
    expect(received).toEqual(SEQUENCES)
    expect(server.requests[0]?.path).toBe('/api/v1/stream?channel=trades&symbols=A%2CB')
    expect(server.requests[0]?.headers.accept).toBe('text/event-stream')
  },
)

test('the stream begins at the cursor of another process, and its own cursor can be stored', async () => {
  const server = await startFaultyServer(serve(COUNT, 'cut'))
  const stream = clientOf(server.url).stream({ channel: 'trades', cursor: '30' })
  const received: string[] = []
  for await (const batch of stream.batches()) {
    received.push(...batch.data.map(({ sequence }) => sequence))
    if (received.length === 6) break
  }
  expect(received).toEqual(SEQUENCES.slice(30, 36))
  expect(stream.cursor).toBe('34')
})

test('a silent connection is replaced', async () => {
  const sendPart = (reply: ServerResponse) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.write(': hello\n\n')
  }
  const server = await startFaultyServer(sendPart, serve(COUNT, 'cut'))
  const notices: string[] = []
  const stream = clientOf(server.url).stream(
    { channel: 'trades' },
    { silenceMs: 2_000, onNotice: ({ type }) => notices.push(type) },
  )
  for await (const { sequence } of stream) if (sequence === '39') break
  expect(notices).toEqual(['reconnecting', 'subscribed'])
})

test('a consumer that works longer on a batch than silenceMs keeps its connection', async () => {
  const sendTwice = (reply: ServerResponse) => {
    const trades = (cursor: string) =>
      `event: trades\ndata: {"data":[{"sequence":"${cursor}"}],"cursor":"${cursor}"}\n\n`
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.write(trades('1'))
    setTimeout(() => reply.write(trades('2')), 50)
  }
  const server = await startFaultyServer(sendTwice)
  const notices: string[] = []
  const stream = clientOf(server.url).stream(
    { channel: 'trades' },
    { silenceMs: 2_000, onNotice: ({ type }) => notices.push(type) },
  )
  const received: string[] = []
  for await (const { sequence } of stream) {
    received.push(sequence)
    if (sequence === '2') break
    await pause(2_500)
  }
  expect(received).toEqual(['1', '2'])
  expect(notices).toEqual([])
})

test('a Retry-After beyond the budget of a call is awaited before the next connection, and reported', async () => {
  const full = problem(429, 'limit.minute_exceeded', { 'retry-after': '3' })
  const server = await startFaultyServer(full, serve(COUNT, 'cut'))
  const notices: object[] = []
  const client = new Tapeline({ apiKey: 'tl_test_1', baseUrl: server.url, budgetMs: 2_000 })
  const stream = client.stream({ channel: 'trades' }, { onNotice: (notice) => notices.push(notice) })
  for await (const { sequence } of stream) if (sequence === '0') break
  expect((server.requests[1]?.atMs ?? 0) - (server.requests[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(2_990)
  expect(notices[0]).toMatchObject({ type: 'reconnecting', pauseMs: 3_000, error: { code: 'limit.minute_exceeded' } })
})

test('a Retry-After longer than the longest timer is not taken for none', async () => {
  const server = await startFaultyServer(problem(429, 'limit.month_exceeded', { 'retry-after': '2678400' }))
  const reason = new Error('enough')
  const controller = new AbortController()
  const { signal } = controller
  // Without the pause it would have connected again by then.
  const onNotice = () => void setTimeout(() => controller.abort(reason), 1_000)
  const walk = async () => {
    for await (const _trade of clientOf(server.url).stream({ channel: 'trades' }, { signal, onNotice })) break
  }
  await expect(walk()).rejects.toBe(reason)
  expect(server.requests).toHaveLength(1)
})

test('each attempt that fails is reported', async () => {
  const server = await startFaultyServer(hangUp, problem(503, 'data.unavailable'), serve(COUNT, 'cut'))
  const notices: unknown[] = []
  const onNotice = ({ type, error }: { type: string; error?: unknown }) =>
    notices.push(error instanceof TapelineError ? error.code : type)
  for await (const _trade of clientOf(server.url).stream({ channel: 'trades' }, { onNotice })) break
  expect(notices).toEqual(['client.network', 'data.unavailable', 'subscribed'])
})

test('an error that retrying cannot solve ends the stream', async () => {
  const server = await startFaultyServer(serve(4, 'cut'), problem(401, 'key.revoked'))
  const received: string[] = []
  const walk = async () => {
    for await (const { sequence } of clientOf(server.url).stream({ channel: 'trades' })) received.push(sequence)
  }
  await expect(walk()).rejects.toMatchObject({ code: 'key.revoked', status: 401 })
  expect(received).toEqual(SEQUENCES.slice(0, 4))
})

test('a stream continues with a new token after the expiry of an accepted one, once', async () => {
  const expire = (reply: ServerResponse, request: ReceivedRequest) => {
    serve(4, 'goodbye')(reply, request)
    const data = { problem: { code: 'credential.invalid', detail: 'It has expired.', status: 401 } }
    reply.write(`event: error\ndata: ${JSON.stringify(data)}\n\n`)
  }
  let keys = 0
  const apiKey = () => `token-${(keys += 1)}`
  const run = async (baseUrl: string, key: string | (() => string)) => {
    const received: string[] = []
    const client = new Tapeline({ apiKey: key, baseUrl })
    const reading = async () => {
      for await (const { sequence } of client.stream({ channel: 'trades' })) received.push(sequence)
    }
    await expect(reading()).rejects.toMatchObject({ code: 'credential.invalid', status: 401 })
    return received
  }
  const server = await startFaultyServer(expire, expire, problem(401, 'credential.invalid'))
  expect(await run(server.url, apiKey)).toEqual(SEQUENCES.slice(0, 8))
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([1, 2, 3].map((n) => `Bearer token-${n}`))
  const other = await startFaultyServer(expire)
  expect(await run(other.url, 'tl_test_1')).toEqual(SEQUENCES.slice(0, 4))
})

test.each([new Error('stop'), new TapelineError('client.network', 'Of another call.', { kind: 'network' })])(
  'an exception of onNotice ends the stream and reaches its caller: %s',
  async (thrown) => {
    const server = await startFaultyServer(serve(COUNT, 'cut'))
    const onNotice = ({ type }: { type: string }) => {
      if (type === 'subscribed') throw thrown
    }
    const signal = AbortSignal.timeout(60_000)
    const walk = async () => {
      for await (const _trade of clientOf(server.url).stream({ channel: 'trades' }, { onNotice, signal })) break
    }
    await expect(walk()).rejects.toBe(thrown)
    expect(server.requests).toHaveLength(1)
  },
)

test('a signal ends a waiting stream', async () => {
  const server = await startFaultyServer(silence)
  const reason = new Error('enough')
  const signal = AbortSignal.any([new AbortController().signal, abortIn(100, reason)])
  const walk = async () => {
    for await (const _trade of clientOf(server.url).stream({ channel: 'trades' }, { signal })) break
  }
  await expect(walk()).rejects.toBe(reason)
})

function abortIn(ms: number, reason: Error): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), ms)
  return controller.signal
}
