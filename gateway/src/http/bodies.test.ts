import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { nextServedRequest } from '../../test/served-request.fixture.ts'

const LIST = '/api/v1/trades/list'
const BODY_BYTES_MAX = 200_000

let edge: Edge
let gateway: TestGateway
let account: TestAccount

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge, { BODY_BYTES_MAX: String(BODY_BYTES_MAX) })
})
beforeEach(() => {
  account = addAccount(edge)
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

const withKey = (headers: Record<string, string> = {}) => ({ authorization: `Bearer ${account.apiKey}`, ...headers })
const lastUsage = () =>
  waitUntil('the event is there', () => gateway.usage().findLast(({ account_id }) => account_id === account.id))

const echo = () => nextServedRequest(edge)

test.each([
  ['small, in one piece', 10, false],
  ['large, with its length', 150_000, false],
  ['large, in chunks', 150_000, true],
])('a request body arrives whole: %s', async (_what, bytes, isChunked) => {
  const received = echo()
  const body = randomBytes(bytes)
  const stream = new ReadableStream({
    start(controller) {
      for (let from = 0; from < bytes; from += 7_000) controller.enqueue(body.subarray(from, from + 7_000))
      controller.close()
    },
  })
  const init = isChunked ? { body: stream, duplex: 'half' as const } : { body }
  const response = await fetch(`${gateway.url}${LIST}`, { method: 'POST', headers: withKey(), ...init })
  expect(response.status).toBe(200)
  expect((await received).body.equals(body)).toBe(true)
  expect((await lastUsage()).bytes_in).toBe(bytes)
})

test.each([
  ['announced', false],
  ['in chunks', true],
])('a body longer than allowed is rejected: %s', async (_what, isChunked) => {
  void echo()
  const body = Buffer.alloc(BODY_BYTES_MAX + 1)
  const request = httpRequest(`${gateway.url}${LIST}`, { method: 'POST', headers: withKey() })
  if (!isChunked) request.setHeader('content-length', body.length)
  const answered = once(request, 'response')
  request.on('error', () => {})
  for (let from = 0; from < body.length; from += 50_000) request.write(body.subarray(from, from + 50_000))
  request.end()
  const [response] = await answered
  expect([response.statusCode, response.headers['content-type']]).toEqual([413, 'application/problem+json'])
  response.resume()
  expect(await lastUsage()).toMatchObject({ status: 413, code: 'request.too_large', outcome: 'client_error' })
})

test('an answer before the end of the request body is forwarded, and its connection is not reused', async () => {
  const connections = new Set<Socket>()
  edge.upstream = (request, reply) => {
    connections.add(request.socket)
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const request = httpRequest(`${gateway.url}${LIST}`, { method: 'POST', headers: withKey() })
  request.on('error', () => {})
  const answered = once(request, 'response')
  request.write('the first piece')
  const [response] = await answered
  expect(response.statusCode).toBe(200)
  response.resume()
  request.end('the rest')
  const [first] = connections
  await fetch(`${gateway.url}${LIST}`, { method: 'POST', headers: withKey(), body: 'whole' })
  expect(connections.size).toBe(2)
  await waitUntil('the first one is closed', () => first?.destroyed, 30_000)
})

test('a long answer arrives whole at a client that reads slowly', async () => {
  const piece = randomBytes(65_536)
  const pieces = 160
  edge.upstream = (_request, reply) => {
    let sent = 0
    const more = (): void => {
      while (sent < pieces) {
        sent += 1
        if (!reply.write(piece)) {
          reply.once('drain', more)
          return
        }
      }
      reply.end()
    }
    more()
  }
  const request = httpRequest(`${gateway.url}${LIST}`, { headers: withKey() })
  request.end()
  const [response] = await once(request, 'response')
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    hash.update(chunk)
    if (bytes % 7 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const expected = createHash('sha256')
  for (let n = 0; n < pieces; n += 1) expected.update(piece)
  expect(hash.digest('hex')).toBe(expected.digest('hex'))
  expect((await lastUsage()).bytes_out).toBe(pieces * piece.length)
})
