import { AppError, PARTIAL_OUTAGE_HEADER } from '@tapeline/service/app-error'
import { testServers } from '@tapeline/testing/test-servers'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'

const DEVICE_LINK = '/api/v1/internal/user/device-link'
const LOGIN = '/api/v1/internal/user/login'
const FORGOT = '/api/v1/internal/user/forgot-password'
const ORIGIN = 'http://localhost:3000'

let edge: Edge
let gateway: TestGateway
/** Each test uses its own client address. */
let addresses = 0

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge, {
    TRUST_PROXY: '127.0.0.1',
    CORS_ORIGINS: ORIGIN,
    BODY_BYTES_MAX: '2000',
    THROTTLE_SIGN_IN_PER_MINUTE: '4',
    THROTTLE_ACCOUNT_PER_MINUTE: '2',
    THROTTLE_SAMPLE_PER_MINUTE: '3',
    THROTTLE_FAILURES_PER_MINUTE: '3',
  })
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

const run = Math.floor(Math.random() * 250)
const newAddress = (): string => `10.${run}.${Math.floor((addresses += 1) / 250)}.${addresses % 250}`
const email = (): string => `${crypto.randomUUID()}@example.com`

type RequestOptions = { address: string; headers?: Record<string, string> } & Pick<
  RequestInit,
  'method' | 'body' | 'redirect'
>

function send(path: string, { address, ...init }: RequestOptions) {
  return fetch(gateway.url + path, { ...init, headers: { ...init.headers, 'x-forwarded-for': address } })
}
const logIn = (address: string, name: string) => post(LOGIN, address, name)
const post = (path: string, address: string, name: string) =>
  send(path, {
    address,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: name }),
  })

test('sign-in is throttled by address', async () => {
  const address = newAddress()
  const statuses = []
  for (let n = 0; n < 5; n += 1) statuses.push((await logIn(address, email())).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429])
  expect((await logIn(newAddress(), email())).status).toBe(200)
})

test("a problem's type leads to the page of its code at the site's own origin, and nowhere else", async () => {
  const address = newAddress()
  const follow = (path: string) => send(path, { address, redirect: 'manual' })
  const answer = await send('/api/v1/limits', { address })
  expect(await answer.json()).toMatchObject({ type: '/docs/errors/credential.missing' })
  const led = await follow('/docs/errors/credential.missing')
  expect(led.status).toBe(302)
  expect(led.headers.get('location')).toBe(`${ORIGIN}/docs/errors/credential.missing`)
  for (const path of ['/docs/errors/%2F%2Felsewhere', '/docs/errors/a/b', '/docs/errors/Ä', '/docs']) {
    expect((await follow(path)).status, path).toBe(404)
  }
})

test('mailed links are throttled by account and network; sign-in is throttled by identity', async () => {
  const name = email()
  const network = `10.${run}.254.`
  let hosts = 0
  const sameNetwork = () => network + String((hosts += 1))
  const spellings = [name.toUpperCase(), ` ${name}`, name.replace('example', 'ｅｘａｍｐｌｅ')]
  const [mailed, signedIn] = [[] as number[], [] as number[]]
  for (const spelling of spellings) {
    mailed.push((await post(FORGOT, sameNetwork(), spelling)).status)
    signedIn.push((await logIn(sameNetwork(), spelling)).status)
  }
  expect(mailed).toEqual([200, 200, 429])
  expect(signedIn).toEqual([200, 200, 200])
  // A flood from one network does not block the owner's request from another.
  expect((await post(FORGOT, newAddress(), name)).status).toBe(200)
  // Requests for one kind of link do not use up those for another.
  expect((await post(DEVICE_LINK, sameNetwork(), name)).status).toBe(200)
})

test('a key does not avoid a throttle by address, and its request is counted', async () => {
  const address = newAddress()
  const { id, apiKey } = addAccount(edge)
  const logInWithKey = (from: string) =>
    send(LOGIN, { address: from, method: 'POST', headers: { 'x-api-key': apiKey }, body: `{"email":"${email()}"}` })
  const statuses = []
  for (let n = 0; n < 5; n += 1) statuses.push((await logInWithKey(address)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429])
  const served = await logInWithKey(newAddress())
  expect([served.status, served.headers.get('x-ratelimit-limit')]).toEqual([200, expect.stringMatching(/^\d+$/)])
  const usage = gateway.usage().filter(({ account_id }) => account_id === id)
  expect(usage.map(({ status, bytes_in }) => [status, bytes_in > 0])).toEqual([
    ...Array<[number, boolean]>(4).fill([200, true]),
    [429, false],
    [200, true],
  ])
})

test('a throttled answer has Retry-After', async () => {
  const address = newAddress()
  for (let n = 0; n < 3; n += 1) expect((await send('/api/v1/sample/BTC', { address })).status).toBe(200)
  const response = await send('/api/v1/sample/BTC', { address })
  expect([response.status, response.headers.get('content-type')]).toEqual([429, 'application/problem+json'])
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await response.json()).toMatchObject({
    code: 'throttle.exceeded',
    success: false,
    request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
})

test('guesses get a 429 until Retry-After, and valid keys of the same address are admitted, cached or not', async () => {
  const address = newAddress()
  const good = addAccount(edge)
  const withKey = ({ apiKey }: { apiKey: string }) =>
    send('/api/v1/instruments', { address, headers: { 'x-api-key': apiKey } })
  expect((await withKey(good)).status).toBe(200)
  const statuses = []
  for (let n = 0; n < 5; n += 1) {
    const guess = addAccount(edge)
    edge.keys.delete(guess.kid)
    statuses.push((await withKey(guess)).status)
  }
  expect(statuses).toEqual([401, 401, 401, 429, 429])
  const unseen = addAccount(edge)
  expect((await withKey(unseen)).status).toBe(200)
  expect((await withKey(good)).status).toBe(200)
  const wrong = addAccount(edge)
  edge.keys.delete(wrong.kid)
  const redis = new Redis(testServers().redisUrl)
  const sentMs = performance.now()
  const retryAfter = Number((await withKey(wrong)).headers.get('retry-after'))
  const leftMs = await redis.pttl(`throttle:{failure:${address}}`)
  const elapsedMs = performance.now() - sentMs
  redis.disconnect()
  expect(leftMs).toBeGreaterThan(0)
  expect(retryAfter * 1_000 - leftMs).toBeGreaterThan(-2_000)
  expect(retryAfter * 1_000 - leftMs).toBeLessThan(2_000 + elapsedMs)
})

test('every answer carries the security headers, and only listed origins may read it', async () => {
  const address = newAddress()
  const { apiKey } = addAccount(edge)
  const key = { 'x-api-key': apiKey }
  const answers = {
    ok: await send('/api/v1/instruments', { address, headers: { ...key, origin: ORIGIN } }),
    refused: await send('/api/v1/instruments', { address, headers: { origin: ORIGIN } }),
    unknown: await send('/nothing', { address, headers: { origin: ORIGIN } }),
    method: await send('/api/v1/health', { address, method: 'POST', headers: { origin: ORIGIN } }),
    long: await send(LOGIN, { address, method: 'POST', body: 'x'.repeat(3_000), headers: { origin: ORIGIN } }),
    probe: await send('/livez', { address, headers: { origin: ORIGIN } }),
    preflight: await send('/api/v1/instruments', { address, method: 'OPTIONS', headers: { origin: ORIGIN } }),
  }
  expect(Object.values(answers).map(({ status }) => status)).toEqual([200, 401, 404, 405, 413, 200, 204])
  for (const [what, { headers }] of Object.entries(answers)) {
    expect(headers.get('x-content-type-options'), what).toBe('nosniff')
    expect(headers.get('content-security-policy'), what).toMatch(/frame-ancestors 'none'/)
    expect(headers.get('access-control-allow-origin'), what).toBe(ORIGIN)
    expect(headers.get('access-control-allow-credentials'), what).toBeNull()
    expect(headers.get('x-request-id'), what).toMatch(/^[0-9a-f]{32}$/)
    const traceparent = new RegExp(`^00-${headers.get('x-request-id')}-[0-9a-f]{16}-0[01]$`)
    expect(headers.get('traceparent'), what).toMatch(traceparent)
    expect(headers.get('access-control-expose-headers'), what).toContain('traceparent')
  }
  const foreign = await send('/api/v1/instruments', { address, headers: { ...key, origin: 'http://evil.example' } })
  expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([200, null])
  expect(answers.preflight.headers.get('access-control-allow-headers')).toMatch(/authorization/)
})

test('a service may not open its answers to other origins', async () => {
  const { apiKey } = addAccount(edge)
  edge.upstream = (_request, reply) =>
    reply.writeHead(200, { 'access-control-allow-origin': '*', vary: 'accept' }).end('{}')
  const response = await send('/api/v1/instruments', { address: newAddress(), headers: { 'x-api-key': apiKey } })
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
  expect(response.headers.get('vary')).toBe('Origin, accept')
})

test('a public call reaches its service anonymously, with its body', async () => {
  const received = new Promise<{ actor: string; body: string; address: string }>((resolve) => {
    edge.upstream = (request, reply) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        const actor = Buffer.from(String(request.headers['x-actor']).split('.')[0] ?? '', 'base64url').toString()
        resolve({ actor, body, address: String(request.headers['x-client-address']) })
        reply.end('{}')
      })
    }
  })
  const [address, name] = [newAddress(), email()]
  await logIn(address, name)
  expect(await received).toMatchObject({ body: JSON.stringify({ email: name }), address })
  expect(JSON.parse((await received).actor)).toMatchObject({ actor: { kind: 'anonymous' }, aud: 'identity' })
})

test('an invalid address is answered with a problem like every other error', async () => {
  const response = await send('/api/v1/%zz', { address: newAddress() })
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  expect(await response.json()).toMatchObject({ code: 'request.invalid', success: false })
})

test('a rejected caller receives the supported authentication schemes', async () => {
  const response = await send('/api/v1/instruments', { address: newAddress() })
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
})

test.each([
  [
    'an outage of another service',
    { 'x-error-code': 'service.unavailable', ...new AppError('service.unavailable', '', { isPartial: true }).headers },
  ],
  ['a flood of sign-ins that fills the queue', { 'x-error-code': 'login.busy' }],
])('%s does not open the breaker of identity: other calls are served', async (_cause, headers) => {
  const address = newAddress()
  let received = 0
  edge.upstream = (_request, reply) => {
    received += 1
    reply.writeHead(503, { ...headers, 'retry-after': '1' }).end('{}')
  }
  for (let n = 0; n < 30; n += 1) {
    const failed = await logIn(newAddress(), email())
    expect([failed.status, failed.headers.get(PARTIAL_OUTAGE_HEADER)]).toEqual([503, null])
  }
  expect(received).toBe(30)
  edge.upstream = (_request, reply) => reply.end('{}')
  expect((await logIn(address, email())).status).toBe(200)
})
