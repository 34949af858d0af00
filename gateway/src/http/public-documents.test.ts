import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'

const SITE = 'https://tapeline.example'
const YEAR_MS = 365 * 86_400_000

let edge: Edge
let gateway: TestGateway

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge, { CORS_ORIGINS: SITE, HSTS_MAX_AGE_S: '31536000' })
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

test('the OpenAPI document is served to everyone, may be cached and is not counted', async () => {
  const { id, apiKey } = addAccount(edge)
  const response = await fetch(`${gateway.url}/openapi.json`, { headers: { 'x-api-key': apiKey } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(response.headers.get('ratelimit')).toBeNull()
  const golden = join(import.meta.dirname, '..', '..', 'golden', 'openapi.json')
  expect(await response.json()).toEqual(JSON.parse(readFileSync(golden, 'utf8')))
  const head = await fetch(`${gateway.url}/openapi.json`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(gateway.usage().filter(({ account_id }) => account_id === id)).toEqual([])
})

test('security.txt names a contact and expires within a year', async () => {
  const response = await fetch(`${gateway.url}/.well-known/security.txt`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const text = await response.text()
  expect(text).toContain(`Contact: ${SITE}/contact\n`)
  expect(text).toContain(`Canonical: ${SITE}/.well-known/security.txt\n`)
  const leftMs = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '') - Date.now()
  expect(leftMs).toBeGreaterThan(YEAR_MS / 4)
  expect(leftMs).toBeLessThan(YEAR_MS)
})

test('every answer of a gateway behind TLS has Strict-Transport-Security; without the setting none has', async () => {
  for (const path of ['/api/v1/health', '/api/v1/limits', '/nowhere']) {
    const { headers } = await fetch(gateway.url + path)
    expect(headers.get('strict-transport-security'), path).toBe('max-age=31536000')
  }
  const plain = await startTestGateway(edge, { SECURITY_CONTACT: 'mailto:security@tapeline.example' })
  try {
    const response = await fetch(`${plain.url}/.well-known/security.txt`)
    expect(response.headers.get('strict-transport-security')).toBeNull()
    expect(await response.text()).toContain('Contact: mailto:security@tapeline.example\n')
  } finally {
    await plain.stop()
  }
})

test.each([
  [400, 'this is not a request\r\n\r\n'],
  [414, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`],
  [431, `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
])('the answer %i to bytes that are not a request also has the HSTS header', async (status, bytes) => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  socket.write(bytes)
  const answer = await text(socket)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(answer).toContain('\r\nstrict-transport-security: max-age=31536000\r\n')
})

test('when both credentials are sent, x-api-key counts and Authorization is ignored', async () => {
  const [first, second] = [addAccount(edge), addAccount(edge)]
  const statusOf = async (apiKey: string, authorization: string) =>
    (
      await fetch(`${gateway.url}/api/v1/trades/list`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, authorization },
      })
    ).status
  const counted = (id: string) => gateway.usage().filter(({ account_id }) => account_id === id).length
  expect(await statusOf(first.apiKey, `Bearer ${second.apiKey}`)).toBe(200)
  expect([counted(first.id), counted(second.id)]).toEqual([1, 0])
  expect(await statusOf(first.apiKey, 'Bearer nonsense')).toBe(200)
  expect(await statusOf('nonsense', `Bearer ${second.apiKey}`)).toBe(401)
})

test('no error may be cached, whether the gateway or a service answers it', async () => {
  edge.upstream = (_request, reply) =>
    reply
      .writeHead(404, { 'content-type': 'application/problem+json', 'cache-control': 'public, max-age=60' })
      .end('{}')
  const { apiKey } = addAccount(edge)
  for (const [path, status] of [
    ['/api/v1/trades/list', 404],
    ['/api/v1/limits', 405],
    ['/nowhere', 404],
    ['/api/v1/health?api_key=x', 400],
  ] as const) {
    const response = await fetch(gateway.url + path, { method: 'POST', headers: { 'x-api-key': apiKey } })
    expect([response.status, response.headers.get('cache-control')], path).toEqual([status, 'no-store'])
  }
})

test.each([204, 304])('an answer %i of a service is forwarded without its Content-Length', async (status) => {
  edge.upstream = (_request, reply) => reply.writeHead(status, { 'content-length': '9', 'x-kept': '1' }).end()
  const { apiKey } = addAccount(edge)
  const { headers } = await fetch(`${gateway.url}/api/v1/trades/list`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey },
  })
  expect([headers.get('content-length'), headers.get('x-kept')]).toEqual([null, '1'])
})
