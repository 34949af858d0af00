import { connect, type Socket } from 'node:net'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { startRedisBetween } from '../../test/redis-between.fixture.ts'
import { socketClosed } from '../../test/socket-closed.fixture.ts'

const LIST = '/api/v1/trades/list'
/** The server gives a request 20 s to arrive. */
const TIMEOUT_MS = 120_000

let edge: Edge
let gateway: TestGateway
let account: TestAccount

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge, { KAFKA_TOPIC_PREFIX: 'unreadable-bodies-have-none-' })
})
beforeEach(() => {
  account = addAccount(edge)
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

/** A client that sends a request and keeps its side of the connection open. */
const send = (...lines: string[]) => sendTo(gateway, lines)

function sendTo({ url }: TestGateway, lines: string[]): { socket: Socket; text: () => string } {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk))).on('error', () => {})
  socket.write([`POST ${LIST} HTTP/1.1`, 'host: x', `x-api-key: ${account.apiKey}`, ...lines].join('\r\n'))
  return { socket, text: () => text }
}

async function usage() {
  const ofAccount = () => gateway.usage().filter(({ account_id }) => account_id === account.id)
  await waitUntil('the event is there', () => ofAccount().length > 0)
  return ofAccount()
}

test('a chunk that cannot be read ends the call to the service, and the event has the status of the answer', async () => {
  const service = { isCalled: false, isAborted: false }
  edge.upstream = (request) => {
    service.isCalled = true
    request.on('error', () => (service.isAborted = true)).resume()
  }
  const { socket, text } = send('transfer-encoding: chunked', '', '3', 'abc', '')
  await waitUntil('the service has the request', () => service.isCalled)
  socket.write('no length\r\n')
  await waitUntil('the answer is there', () => text().endsWith('}'))
  expect(text()).toMatch(/^HTTP\/1\.1 400 /)
  expect(text()).toContain('"code":"request.invalid"')
  expect(await usage()).toMatchObject([{ status: 400, outcome: 'client_error', code: 'request.invalid' }])
  await waitUntil('the call has ended', () => service.isAborted)
  socket.end()
  await socketClosed(socket)
  expect(text().match(/HTTP\/1\.1/g)).toHaveLength(1)
})

test(
  'a body that does not arrive in time gets a 408, and its event has that status',
  { timeout: TIMEOUT_MS },
  async () => {
    const { socket, text } = send('content-length: 10', '', 'abc')
    await waitUntil('the answer is there', () => text().endsWith('}'))
    expect(text()).toMatch(/^HTTP\/1\.1 408 /)
    expect(text()).toContain('"code":"request.timed_out"')
    const facts = { status: 408, outcome: 'client_error', code: 'request.timed_out' }
    expect(await usage()).toMatchObject([facts])
    socket.end()
    await socketClosed(socket)
  },
)

test('a body that breaks off after the answer is complete and before it is written closes the connection', async () => {
  const redis = await startRedisBetween(testServers().redisUrl)
  // With two gateways an answer waits until its lease is released.
  const other = await startTestGateway(edge, { REDIS_URL: redis.url, GATEWAYS_EXPECTED: '2' })
  try {
    edge.upstream = (request, reply) => {
      request.on('error', () => {})
      redis.setMode('late')
      reply.setHeader('content-length', 2).end('{}')
    }
    const { socket, text } = sendTo(other, ['transfer-encoding: chunked', '', '3', 'abc', ''])
    await waitUntil('the lease is being released', () => redis.occurrences('$4\r\nZREM') > 0)
    socket.end()
    await waitUntil('the answer is there', () => text().endsWith('{}'))
    expect(text()).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i)
    await socketClosed(socket)
  } finally {
    redis.setMode('pass')
    await other.stop()
    await redis.stop()
  }
})
