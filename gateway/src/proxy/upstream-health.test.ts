import { EventEmitter, once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway, type Upstream } from '../../test/gateway.fixture.ts'
import { startRawService } from '../../test/raw-service.fixture.ts'
import type { Problem } from '../problems/problem.ts'
import { Deadlines } from './deadlines.ts'
import type { Destination, ForwardedResponse } from './forwarded-request.ts'
import { Forwarding } from './forwarding.ts'
import { UpstreamHealth } from './upstream-health.ts'

const LIST = '/api/v1/trades/list'
/** Refused at once: a free port from the system's range could be taken by another test. */
const UNREACHABLE_URL = 'http://127.0.0.1:1'

let edge: Edge
let gateway: TestGateway
let account: TestAccount
/** Requests that reached the service. */
let reached = 0

beforeAll(async () => {
  edge = await startEdge()
})
/** A separate gateway for each test, because its state about a service is tested. */
beforeEach(async () => {
  gateway = await startTestGateway(edge)
  account = addAccount(edge)
  reached = 0
})
afterEach(() => gateway.stop())
afterAll(() => edge.stop())

const send = (init: RequestInit = {}) =>
  fetch(gateway.url + LIST, { ...init, headers: { 'x-api-key': account.apiKey } })
const answer = (upstream: Upstream): void => {
  edge.upstream = (request, reply) => {
    reached += 1
    upstream(request, reply)
  }
}
const breakConnection: Upstream = (request) => request.socket.destroy()
const answerOk: Upstream = (_request, reply) => reply.end('{}')

test.each([{}, { method: 'POST', body: '{}' }])(
  'a read over a connection that broke is retried once: %j',
  async (init) => {
    answer((request, reply) => (reached === 1 ? breakConnection(request, reply) : reply.end('{}')))
    expect([(await send(init)).status, reached]).toEqual([200, 2])
  },
)

test('a request that may have had an effect is not sent again', async () => {
  answer(breakConnection)
  const response = await fetch(`${gateway.url}/api/v1/internal/user/login`, { method: 'POST', body: '{}' })
  expect([response.status, reached]).toEqual([502, 1])
})

test('a read that the service could not take is retried once, and the second answer counts', async () => {
  answer((_request, reply) => (reached === 1 ? reply.writeHead(503).end('not now') : reply.end('{"second":true}')))
  const response = await send()
  expect([response.status, await response.text(), reached]).toEqual([200, '{"second":true}', 2])
  answer((_request, reply) => reply.writeHead(503).end('not now'))
  const refused = await send()
  expect([refused.status, await refused.text(), reached]).toEqual([503, 'not now', 4])
})

test('a failing service gets no requests for some time, and one successful probe ends that', async () => {
  answer(breakConnection)
  let refused: Response | undefined
  for (let n = 0; n < 40 && refused === undefined; n += 1) {
    const response = await send()
    if (response.status === 503) refused = response
  }
  expect([refused?.status, refused?.headers.get('retry-after'), await refused?.json()]).toMatchObject([
    503,
    '1',
    { code: 'service.unavailable', success: false },
  ])
  answer(answerOk)
  await waitUntil('a probe went through', async () => (await send()).status === 200)
  expect((await Promise.all(Array.from({ length: 20 }, () => send()))).map(({ status }) => status)).toEqual(
    Array(20).fill(200),
  )
})

test('a slow request body gets a 408, and opens the breaker for no other caller', async () => {
  answer((request, reply) => void request.resume().on('end', () => reply.end('{}')))
  const sendSlowly = async (): Promise<[number | undefined, string]> => {
    const request = httpRequest(gateway.url + LIST, { method: 'POST', headers: { 'x-api-key': account.apiKey } })
    request.on('error', () => {})
    request.write('{')
    const [response] = await once(request, 'response')
    let text = ''
    for await (const piece of response) text += String(piece)
    request.destroy()
    return [response.statusCode, JSON.parse(text).code]
  }
  const outcomes = await Promise.all(Array.from({ length: 30 }, sendSlowly))
  expect(outcomes).toEqual(Array(30).fill([408, 'request.timed_out']))
  expect((await send()).status).toBe(200)
  expect(gateway.usage().filter(({ status, outcome }) => status === 408 && outcome === 'client_error')).toHaveLength(30)
})

test('an unavailable service does not affect requests to the others', async () => {
  const other = await startTestGateway(edge, { IDENTITY_URL: UNREACHABLE_URL })
  try {
    answer(answerOk)
    const logIn = () => fetch(`${other.url}/api/v1/internal/user/login`, { method: 'POST', body: '{}' })
    for (let n = 0; n < 15; n += 1) expect((await logIn()).status).toBe(503)
    expect((await fetch(`${other.url}/api/v1/sample`)).status).toBe(200)
  } finally {
    await other.stop()
  }
})

test('calls that the gateway ends itself do not count against the service', async () => {
  const [service, health, deadlines] = [await startRawService(), new UpstreamHealth(), new Deadlines()]
  const abort = vi.fn<(problem: Problem) => void>()
  service.answerWith = (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n')
  for (let n = 0; n < 20; n += 1) {
    const begun = Promise.withResolvers<void>()
    const response: ForwardedResponse = {
      isDone: false,
      status: 0,
      reply: new EventEmitter() as never,
      upstreamCall: undefined,
      beginFromService: () => begun.resolve(),
      write: () => true,
      complete: () => {},
      abort,
      sendProblem: abort,
    }
    const request = { url: '/x', method: 'GET', rawHeaders: [], headers: {} } as never
    const source = { request, requestId: '', traceparent: '', address: '', network: '', route: undefined, response }
    const to: Destination = { service: 'market-data', pool: service.pool, health, timeoutMs: null, actorToken: '' }
    new Forwarding({ deadlines, logger: silentLogger }, source, to, null).send()
    await begun.promise
    response.upstreamCall?.stop()
  }
  expect([abort.mock.calls.length, health.breaker.isOpen]).toEqual([0, false])
  deadlines.stop()
  await service.stop()
})

test('retries are at most a tenth of the requests, and none is sent while the breaker is open', () => {
  const health = new UpstreamHealth()
  let [requests, retried] = [0, 0]
  for (; requests < 1_000; requests += 1) {
    if (health.allows(requests) && health.takeRetry()) retried += 1
  }
  expect(retried).toBeLessThanOrEqual(10 + requests / 10)
  expect(retried).toBeGreaterThan(requests / 11)
  for (let n = 0; n < 2_000; n += 1) health.failed()
  expect(health.takeRetry()).toBe(false)
})
