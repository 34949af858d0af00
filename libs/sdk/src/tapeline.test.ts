import { expect, test } from 'vitest'
import { cut, hangUp, json, problem, silence, startFaultyServer } from '../test/faulty-server.fixture.ts'
import { Tapeline } from './tapeline.ts'
import { TapelineError } from './tapeline-error.ts'

const page = (ids: string[], next: string | null, more = next !== null) =>
  json({
    data: ids.map((id) => ({ id })),
    next_cursor: next,
    has_more: more,
    coverage: [],
    warnings: [],
    request_id: 'r',
  })

const clientOf = (baseUrl: string, options = {}) => new Tapeline({ apiKey: 'tl_test_1', baseUrl, ...options })

async function failureOf(work: Promise<unknown>): Promise<TapelineError> {
  const error: unknown = await work.catch((failure: unknown) => failure)
  if (!(error instanceof TapelineError)) throw new Error(`not a TapelineError: ${String(error)}`)
  return error
}

test('a list is read over all pages: first with the filter, then with the cursor alone', async () => {
  const server = await startFaultyServer(page(['1', '2'], 'a'), page(['3'], 'b'), page(['4'], 'c', false))
  const trades = clientOf(server.url).trades.list({ symbols: ['BTC-USDT'], limit: 2 })
  expect(await trades.toArray()).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }, { id: '4' }])
  expect(server.requests.map(({ body }) => body)).toEqual([
    { symbols: ['BTC-USDT'], limit: 2 },
    { cursor: 'a' },
    { cursor: 'b' },
  ])
  expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/api/v1/trades/list' })
  expect(server.requests[0]?.headers.authorization).toBe('Bearer tl_test_1')
  expect(trades.cursor).toBe('c')
})

test('a list that is left within a page continues before its next record, and after whole pages', async () => {
  const pages = [page(['1', '2', '3'], 'a'), page(['4', '5', '6'], 'b'), page(['7'], 'c', false)]
  const server = await startFaultyServer(...pages, ...pages, ...pages)
  const trades = clientOf(server.url).trades.list({ cursor: 'stored' })
  expect(trades.cursor).toBe('stored')
  const cursors: (string | null)[] = []
  for await (const { id } of trades) {
    cursors.push(trades.cursor)
    if (id === '5') break
  }
  expect(cursors).toEqual(['stored', 'stored', 'a', 'a', 'a'])
  // The server is at its third page now.
  await trades.toArray(1)
  expect(trades.cursor).toBe('c')
  await trades.toArray(2)
  expect(trades.cursor).toBe('stored')
  for await (const whole of trades.pages()) expect(trades.cursor).toBe(whole.next_cursor)
})

test('toArray ends at its maximum and loads no unnecessary page', async () => {
  const server = await startFaultyServer(page(['1', '2'], 'a'), page(['3', '4'], 'b'))
  expect(await clientOf(server.url).trades.list().toArray(2)).toHaveLength(2)
  expect(server.requests).toHaveLength(1)
  expect(await clientOf(server.url).trades.list().toArray(0)).toEqual([])
  expect(server.requests).toHaveLength(1)
})

test('the first page is returned without records too: its coverage and warnings explain why there are none', async () => {
  const server = await startFaultyServer(page([], null))
  const found: object[] = []
  for await (const one of clientOf(server.url).trades.list().pages()) found.push(one)
  expect(found).toEqual([expect.objectContaining({ data: [], coverage: [], warnings: [] })])
  expect(await clientOf(server.url).trades.list().toArray()).toEqual([])
})

test('follow waits for new records at the end instead of ending', async () => {
  const server = await startFaultyServer(page(['1'], 'a', false), page([], 'a', false), page(['2'], 'b', false))
  const received: unknown[] = []
  for await (const trade of clientOf(server.url).trades.list({}, { follow: true, pollMs: 5 })) {
    received.push(trade.id)
    if (received.length === 2) break
  }
  expect(received).toEqual(['1', '2'])
  expect(server.requests).toHaveLength(3)
})

test('after a 429 the client waits for Retry-After', async () => {
  const server = await startFaultyServer(
    problem(429, 'limit.burst_exceeded', { 'retry-after': '1' }),
    page(['1'], null),
  )
  expect(await clientOf(server.url).trades.list().toArray()).toEqual([{ id: '1' }])
  const [first, second] = server.requests
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990)
})

test.each([
  ['503', problem(503, 'data.unavailable'), {}],
  ['a connection without an answer', hangUp, {}],
  ['an answer cut in half', cut({ data: [], next_cursor: null, has_more: false }), {}],
  // Long enough for the answer of a busy machine.
  ['silence', silence, { timeoutMs: 2_000 }],
])('%s is retried', async (_name, answer, options) => {
  const server = await startFaultyServer(answer, answer, page(['1'], null))
  const found = await clientOf(server.url, options).trades.list().toArray()
  expect(found).toEqual([{ id: '1' }])
  expect(server.requests).toHaveLength(3)
})

test('a permanent failure is not retried, and the error has code, status and request id', async () => {
  const server = await startFaultyServer(problem(400, 'filter.invalid'))
  const error = await failureOf(clientOf(server.url).trades.list().toArray())
  expect(error).toMatchObject({ code: 'filter.invalid', kind: 'answer', status: 400, requestId: 'request-1' })
  expect(error.message).toBe('filter.invalid: It is filter.invalid. (request request-1)')
  expect(server.requests).toHaveLength(1)
})

test('the answer of an intermediary has the code of its status', async () => {
  const server = await startFaultyServer((reply) => {
    reply.writeHead(413, { 'content-type': 'text/html' })
    reply.end('<h1>no</h1>')
  })
  expect(await failureOf(clientOf(server.url).limits.read())).toMatchObject({ code: 'http.413', requestId: undefined })
})

test('retries end after their maximum number, or before a pause that would exceed the budget', async () => {
  const server = await startFaultyServer(problem(429, 'limit.month_exceeded', { 'retry-after': '86400' }))
  const error = await failureOf(clientOf(server.url).limits.read())
  expect(error).toMatchObject({ code: 'limit.month_exceeded', retryAfterMs: 86_400_000 })
  expect(server.requests).toHaveLength(1)

  const failing = await startFaultyServer(problem(503, 'data.unavailable', { 'retry-after': '0' }))
  await failureOf(clientOf(failing.url, { retriesMax: 2 }).limits.read())
  expect(failing.requests).toHaveLength(3)
})

test('a write is sent once, a read by POST is retried', async () => {
  const server = await startFaultyServer(hangUp)
  const write = clientOf(server.url).call({ method: 'POST', path: '/api/v1/contact', body: {} })
  expect(await failureOf(write)).toMatchObject({ code: 'client.network' })
  expect(server.requests).toHaveLength(1)
  const book = await startFaultyServer(hangUp, json({ data: { levels: 3 }, request_id: 'r' }))
  expect(await clientOf(book.url).l2events.book({ venue: 'sim', symbol: 'A' })).toEqual({ levels: 3 })
})

test('a creation with an idempotency key is repeated with the same key', async () => {
  const server = await startFaultyServer(hangUp, problem(503, 'service.unavailable'), json({ data: 1 }, 201))
  const call = {
    method: 'POST',
    path: '/api/v1/internal/api-keys',
    body: { name: 'ci' },
    idempotencyKey: 'k1',
  } as const
  expect(await clientOf(server.url).call(call)).toEqual({ data: 1 })
  expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['k1', 'k1', 'k1'])
})

test('a creation whose first attempt is still running is awaited', async () => {
  const running = problem(409, 'idempotency_key.in_flight', { 'retry-after': '0' })
  const server = await startFaultyServer(hangUp, running, json({ data: 1 }, 201))
  const call = { method: 'POST', path: '/api/v1/internal/api-keys', body: {}, idempotencyKey: 'k1' } as const
  expect(await clientOf(server.url).call(call)).toEqual({ data: 1 })
  const conflict = await startFaultyServer(problem(409, 'idempotency_key.reused'))
  expect(await failureOf(clientOf(conflict.url).call(call))).toMatchObject({ code: 'idempotency_key.reused' })
  expect(conflict.requests).toHaveLength(1)
})

test('a function gives each attempt its key, so that a renewed token is used at once', async () => {
  const server = await startFaultyServer(problem(503, 'data.unavailable'), json({ data: {}, request_id: 'r' }))
  let attempts = 0
  await clientOf(server.url, { apiKey: async () => `token-${(attempts += 1)}` }).limits.read()
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
})

test('many readers of an exhausted limit all finish, and none retries before its Retry-After', async () => {
  const READERS = 12
  const ADMITTED_PER_WINDOW = 5
  const WINDOW_MS = 1_000
  const early: number[] = []
  let window = { startMs: 0, admitted: 0 }
  const retryAtMs = new Map<unknown, number>()
  const limiter = await startFaultyServer((reply, request) => {
    const { reader } = request.body as { reader: number }
    const nowMs = request.atMs
    if (nowMs < (retryAtMs.get(reader) ?? 0)) early.push(reader)
    if (nowMs - window.startMs >= WINDOW_MS) window = { startMs: nowMs, admitted: 0 }
    window.admitted += 1
    if (window.admitted <= ADMITTED_PER_WINDOW) return page([String(reader)], null)(reply, request)
    const afterS = Math.ceil((window.startMs + WINDOW_MS - nowMs) / 1_000)
    // A client's clock counts from the end of the answer: a few milliseconds after this.
    retryAtMs.set(reader, nowMs + afterS * 1_000 - 5)
    return problem(429, 'limit.burst_exceeded', { 'retry-after': String(afterS) })(reply, request)
  })
  const client = clientOf(limiter.url, { retriesMax: 20 })
  const readers = Array.from({ length: READERS }, async (_value, reader) =>
    client.trades.list({ reader } as object).toArray(),
  )
  expect((await Promise.all(readers)).flat()).toEqual(Array.from({ length: READERS }, (_v, n) => ({ id: String(n) })))
  expect(early).toEqual([])
  // Without pauses, twelve readers would send hundreds of requests.
  expect(limiter.requests.length).toBeLessThan(READERS * 5)
})

test('a server that never answers ends with client.timeout', async () => {
  const server = await startFaultyServer(silence)
  const error = await failureOf(clientOf(server.url, { timeoutMs: 50, retriesMax: 1 }).limits.read())
  expect(error).toMatchObject({ code: 'client.timeout', kind: 'timeout', status: undefined })
})

test('a signal ends a call, also within a pause, with its own reason', async () => {
  const server = await startFaultyServer(problem(503, 'data.unavailable', { 'retry-after': '30' }))
  const reason = new Error('enough')
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), 100)
  await expect(clientOf(server.url).limits.read({ signal: controller.signal })).rejects.toBe(reason)
})

test('files are listed over pages by query', async () => {
  const server = await startFaultyServer(
    json({ data: [{ id: '1' }], next_cursor: 'n', request_id: 'r' }),
    json({ data: [{ id: '2' }], next_cursor: null, request_id: 'r' }),
  )
  const files = clientOf(server.url).files.list({ venue: 'sim', channel: 'trades' })
  expect(await files.toArray()).toEqual([{ id: '1' }, { id: '2' }])
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/api/v1/files?venue=sim&channel=trades',
    '/api/v1/files?venue=sim&channel=trades&cursor=n',
  ])
})

test('a client without a key fails at once', () => {
  expect(() => new Tapeline({ apiKey: '' })).toThrow('TAPELINE_KEY')
})
