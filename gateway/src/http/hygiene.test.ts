import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { SECURITY_HEADERS } from './browser-policy.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { socketClosed } from '../../test/socket-closed.fixture.ts'

const LIST = '/api/v1/trades/list'
const LOGIN = '/api/v1/internal/user/login'

let edge: Edge
let gateway: TestGateway
let account: TestAccount
let reached = 0

beforeAll(async () => {
  edge = await startEdge()
  edge.upstream = (_request, reply) => {
    reached += 1
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  gateway = await startTestGateway(edge)
})
beforeEach(() => {
  account = addAccount(edge)
  reached = 0
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

const lastUsage = () =>
  waitUntil('the event is there', () => gateway.usage().findLast(({ account_id }) => account_id === account.id))

/** Sends raw bytes; returns everything received until the connection was closed. */
async function raw(...lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  const closed = socketClosed(socket)
  socket.write([...lines, '', ''].join('\r\n'))
  await closed
  return Buffer.concat(chunks).toString('latin1')
}

test.each([
  ['GET', LIST, 'POST'],
  ['DELETE', LOGIN, 'POST'],
  ['POST', '/api/v1/instruments', 'GET, HEAD'],
  ['PUT', '/api/v1/limits', 'GET, HEAD'],
  ['POST', '/api/v1/internal/subscription/pricing', 'GET, HEAD'],
  ['DELETE', '/api/v1/internal/api-keys', 'GET, HEAD, POST'],
])('%s %s gets a 405 with its methods before authentication', async (method, path, allow) => {
  const response = await fetch(gateway.url + path, { method })
  expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
  expect(await response.json()).toMatchObject({ code: 'request.method_not_allowed', success: false })
  expect(reached).toBe(0)
})

test('a path below a wildcard does not reveal its methods before authentication', async () => {
  expect((await fetch(`${gateway.url}/api/v1/internal/user/details`, { method: 'DELETE' })).status).toBe(401)
})

test.each([
  ['gzip', 415],
  ['br', 415],
  ['identity, gzip', 415],
  ['Identity', 200],
])('a body in Content-Encoding %s: %i', async (encoding, status) => {
  const body = encoding === 'gzip' ? gzipSync('{}') : '{}'
  const headers = { 'content-encoding': encoding, 'content-type': 'application/json' }
  const withKey = { ...headers, 'x-api-key': account.apiKey }
  const answers = [
    await fetch(gateway.url + LIST, { method: 'POST', headers: withKey, body }),
    await fetch(gateway.url + LOGIN, { method: 'POST', headers, body }),
  ]
  expect(answers.map((answer) => answer.status)).toEqual([status, status])
  expect(reached).toBe(status === 200 ? 2 : 0)
  expect(await lastUsage()).toMatchObject({ status, code: status === 200 ? null : 'request.media_type_unsupported' })
})

test('a URL of 8,192 characters is accepted, a longer one is rejected', async () => {
  const fetchOfLength = (length: number) =>
    fetch(`${gateway.url}/api/v1/health?${'x'.repeat(length - '/api/v1/health?'.length)}`)
  expect((await fetchOfLength(8_192)).status).toBe(200)
  const refused = await fetchOfLength(8_193)
  expect([refused.status, await refused.json()]).toMatchObject([414, { code: 'request.address_too_long' }])
})

const host = 'host: localhost'
test.each([
  ['an address beyond all bounds', '414', [`GET /api/v1/health?${'x'.repeat(20_000)} HTTP/1.1`, host]],
  ['a header beyond all bounds', '431', ['GET /api/v1/health HTTP/1.1', host, `x-long: ${'x'.repeat(20_000)}`]],
  ['no host', '400', ['GET /api/v1/health HTTP/1.1', 'connection: close']],
  ['no HTTP', '400', ['nonsense']],
  ['two lengths', '400', ['POST /api/v1/health HTTP/1.1', host, 'content-length: 1', 'content-length: 2']],
  ['no such route', '404', ['GET //evil.example HTTP/1.1', host, 'connection: close']],
  ['no such method', '405', ['TRACE /api/v1/health HTTP/1.1', host, 'connection: close']],
  ['no credential', '401', ['GET /api/v1/limits HTTP/1.1', host, 'connection: close']],
  ['an odd expectation', '200', ['GET /api/v1/health HTTP/1.1', host, 'expect: the-unexpected', 'connection: close']],
  ['a probe', '200', ['GET /livez HTTP/1.1', host, 'connection: close']],
])('every answer carries the security headers: %s, %s', async (_what, status, lines) => {
  const answer = await raw(...lines)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  const head = answer.split('\r\n\r\n', 1)[0]?.toLowerCase() ?? ''
  for (let n = 0; n < SECURITY_HEADERS.length; n += 2) {
    expect(head).toContain(`\r\n${SECURITY_HEADERS[n]}: ${SECURITY_HEADERS[n + 1]?.toLowerCase()}`)
  }
  if (!status.startsWith('2')) expect(head).toContain('\r\ncontent-type: application/problem+json')
})

test('a compressed answer of a service is forwarded unchanged, once', async () => {
  const packed = gzipSync(JSON.stringify({ data: 'x'.repeat(5_000) }))
  edge.upstream = (request, reply) => {
    expect(request.headers['accept-encoding']).toBe('gzip')
    reply.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', vary: 'accept-encoding' })
    reply.end(packed)
  }
  const answer = await raw(
    `GET ${LIST} HTTP/1.1`,
    host,
    'connection: close',
    'accept-encoding: gzip',
    `x-api-key: ${account.apiKey}`,
  )
  expect(answer.match(/content-encoding: gzip/gi)).toHaveLength(1)
  expect(Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1').equals(packed)).toBe(true)
})
