import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { socketClosed } from '../../test/socket-closed.fixture.ts'

const LIST = '/api/v1/trades/list'

let edge: Edge
let gateway: TestGateway
let account: TestAccount

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge)
})
beforeEach(() => {
  account = addAccount(edge)
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

test('headers named by Connection are not forwarded, in either direction', async () => {
  const answer = await raw(
    `GET ${LIST} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.apiKey}\r\nx-hop: 1\r\nconnection: close, x-hop\r\n\r\n`,
    echoHeaders(),
  )
  expect(answer.headers['x-hop']).toBeUndefined()
  expect(answer.text).not.toMatch(/x-answer-hop/i)
  expect(answer.text).toMatch(/x-answer-kept/i)
})

function echoHeaders(): Promise<IncomingHttpHeaders> {
  return new Promise((resolve) => {
    edge.upstream = (request, reply) => {
      resolve(request.headers)
      reply
        .setHeader('connection', 'keep-alive, x-answer-hop')
        .setHeader('x-answer-hop', '1')
        .setHeader('x-answer-kept', '1')
      reply.end('{}')
    }
  })
}

async function raw(text: string, headers: Promise<IncomingHttpHeaders> = Promise.resolve({})) {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  const closed = socketClosed(socket)
  socket.write(text)
  await closed
  const answer = Buffer.concat(chunks).toString()
  return { text: answer, headers: answer.startsWith('HTTP/1.1 2') ? await headers : {} }
}

test.each([
  ['two lengths', 400, 'content-length: 3\r\ncontent-length: 4'],
  ['length and chunks', 400, 'content-length: 3\r\ntransfer-encoding: chunked'],
  ['a blank before the colon', 400, 'content-length : 3'],
  ['chunks that are not the last coding', 501, 'transfer-encoding: chunked, identity'],
  ['another coding before the chunks', 501, 'transfer-encoding: gzip, chunked'],
  ['the same coding twice', 501, 'transfer-encoding: chunked\r\ntransfer-encoding: chunked'],
  ['an unknown coding', 501, 'transfer-encoding: xchunked'],
])('a request whose end is ambiguous is never forwarded: %s', async (_what, status, lines) => {
  let isReached = false
  edge.upstream = (_request, reply) => {
    isReached = true
    reply.end()
  }
  const { text } = await raw(
    `POST ${LIST} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.apiKey}\r\n${lines}\r\n\r\nabc`,
  )
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(text).toMatch(/content-type: application\/problem\+json/)
  expect(text).toMatch(/cache-control: no-store/)
  expect(text).toMatch(/x-content-type-options: nosniff/)
  expect(isReached).toBe(false)
})

test.each([
  ['two', 'host: a.example\r\nhost: b.example'],
  ['the same twice', 'host: a.example\r\nHost: a.example'],
  ['a list', 'host: a.example, b.example'],
  ['a user', 'host: user@a.example'],
  ['a path', 'host: a.example/x'],
  ['an empty value', 'host:'],
  ['none', 'x-none: 1'],
])('a Host header that names no single host is rejected and the connection is closed: %s', async (_what, lines) => {
  const { text } = await raw(`GET /api/v1/health HTTP/1.1\r\n${lines}\r\n\r\n`)
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toMatch(/"code":"request.invalid"/)
})

test.each(['localhost', 'api.example:8080', '127.0.0.1:3001', '[::1]:3001', 'EXAMPLE.com'])(
  'a name or an address with or without a port is a host: %s',
  async (host) => {
    const { text } = await raw(`GET /api/v1/health HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
  },
)

test.each([
  ['unsupported coding', 501, 'host: x\r\ntransfer-encoding: gzip, chunked'],
  ['two hosts, in chunks', 400, 'host: x\r\nhost: y\r\ntransfer-encoding: chunked'],
  ['two hosts, known length', 400, 'host: x\r\nhost: y\r\ncontent-length: 9'],
])(
  'the connection of a rejected request is closed after a second when its body never arrives: %s',
  async (_what, status, lines) => {
    const begunMs = performance.now()
    const { text } = await raw(`POST ${LIST} HTTP/1.1\r\n${lines}\r\n\r\n`)
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(performance.now() - begunMs).toBeLessThan(10_000)
  },
)

test('an ambiguous address matches no route', async () => {
  for (const path of [
    '/api/v1/trades/../admin/users',
    '/api/v1/trades//list',
    '/api/v1/trades/%2e%2e/x',
    '/api/v1/trades/a%2fb',
    '/api/v1/trades/%6cist',
    '/api/v1/trades/list#x',
  ]) {
    const { text } = await raw(
      `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.apiKey}\r\nconnection: close\r\n\r\n`,
    )
    expect(text, path).toMatch(/^HTTP\/1\.1 404 /)
  }
})
