import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { socketClosed } from '../../test/socket-closed.fixture.ts'

const LIST = '/api/v1/trades/list'
const LOGIN = '/api/v1/internal/user/login'
const UNREADABLE = 'this is not a request\r\n\r\n'
const HEALTH = 'GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'

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

type Client = { socket: Socket; text: () => string }

function open(): Client {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk))).on('error', () => {})
  return { socket, text: () => text }
}
const request = (target: string, ...lines: string[]): string =>
  [`POST ${target} HTTP/1.1`, 'host: localhost', `x-api-key: ${account.apiKey}`, ...lines, '', ''].join('\r\n')

test('unparsable bytes after a request never become part of the answer in progress', async () => {
  // The newest chunk of a counted answer is held back: the first is sent when the second has arrived.
  edge.upstream = (_request, reply) => {
    reply.writeHead(200, { 'content-length': '1000000' }).write('0123456789')
    const writing = setInterval(() => reply.write('0123456789'), 100)
    reply.on('close', () => clearInterval(writing))
  }
  const { socket, text } = open()
  socket.write(request(LIST, 'content-length: 0'))
  await waitUntil('the answer has begun', () => text().endsWith('0123456789'))
  socket.write(UNREADABLE)
  await socketClosed(socket)
  expect(text()).toMatch(/^HTTP\/1\.1 200 /)
  expect(text().match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect(text().split('\r\n\r\n')[1]).toMatch(/^\d+$/)
})

test('unparsable bytes after a request never replace an answer that has not begun', async () => {
  let answer: (() => void) | undefined
  edge.upstream = (_request, reply) => (answer = () => reply.end('{}'))
  const { socket, text } = open()
  socket.write(request(LIST, 'content-length: 0'))
  await waitUntil('the service has the request', () => answer !== undefined)
  socket.write(UNREADABLE)
  await socketClosed(socket)
  answer?.()
  expect(text()).toBe('')
})

test('unparsable bytes on a connection whose answers are complete are answered with a problem', async () => {
  edge.upstream = (_request, reply) => void reply.end('{}')
  const { socket, text } = open()
  socket.write(request(LIST, 'content-length: 0'))
  await waitUntil('the answer is there', () => text().endsWith('{}'))
  socket.write(UNREADABLE)
  await socketClosed(socket)
  expect([...text().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '400'])
})

test.each([
  ['of known length', { 'content-length': '2' }],
  ['in chunks', {}],
])('an answer %s that comes before the request body does not delay the next request', async (_what, headers) => {
  edge.upstream = (_request, reply) => {
    reply.writeHead(200, headers).write('{')
    reply.end('}')
  }
  for (const framing of ['content-length: 198000', 'transfer-encoding: chunked']) {
    const isChunked = framing.endsWith('chunked')
    const { socket, text } = open()
    socket.write(request(LIST, framing))
    const piece = 'x'.repeat(66_000)
    const write = () => socket.write(isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece)
    write()
    await waitUntil('the answer is there', () => text().includes('{'))
    const begunMs = performance.now()
    write()
    write()
    socket.write(`${isChunked ? '0\r\n\r\n' : ''}${HEALTH}`)
    await socketClosed(socket)
    expect(text().match(/HTTP\/1\.1 200/g), text()).toHaveLength(2)
    expect(performance.now() - begunMs).toBeLessThan(10_000)
  }
})

test.each([
  [LIST, 5_000_000, 'content-length'],
  [LIST, 50_000_000, 'content-length'],
  [LIST, 50_000_000, 'transfer-encoding'],
  [LOGIN, 50_000_000, 'content-length'],
  [LOGIN, 50_000_000, 'transfer-encoding'],
])(
  'a client that sends its whole body before it reads gets the 413: %s, %i bytes, %s',
  async (target, bytes, framing) => {
    const { socket, text } = open()
    const isChunked = framing === 'transfer-encoding'
    const piece = Buffer.alloc(500_000, 'x')
    socket.pause()
    socket.write(request(target, isChunked ? 'transfer-encoding: chunked' : `content-length: ${bytes}`))
    for (let sent = 0; sent < bytes; sent += piece.length) {
      if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`)
      const isTaken = socket.write(piece)
      if (isChunked) socket.write('\r\n')
      if (!isTaken) await once(socket, 'drain')
    }
    if (isChunked) socket.write('0\r\n\r\n')
    socket.resume()
    await waitUntil('the answer is there', () => text().endsWith('}') || socket.closed)
    socket.destroy()
    expect(text()).toMatch(/^HTTP\/1\.1 413 /)
    expect(text()).toContain('"code":"request.too_large"')
  },
)
