import { hash } from 'node:crypto'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { accessTokenFor, addAccount, addKey, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { openStream, rejectedStream } from '../../test/stream-client.fixture.ts'
import { startStreamService, type StreamService } from '../../test/stream-service.fixture.ts'
import { StreamTickets, ticketIn } from './stream-tickets.ts'

const STREAM = '/api/v1/stream'
const PAGE = { origin: 'http://localhost:3000' }

let edge: Edge
let service: StreamService
let gateway: TestGateway
let account: TestAccount

beforeAll(async () => {
  edge = await startEdge()
  service = await startStreamService()
  gateway = await startTestGateway(edge, { MARKET_DATA_URL: service.url, KAFKA_TOPIC_PREFIX: 'tickets-have-none-' })
})
afterAll(async () => {
  await gateway.stop()
  await service.stop()
  await edge.stop()
})
beforeEach(() => (account = addAccount(edge)))

async function request(headers: Record<string, string>) {
  const response = await fetch(`${gateway.url}${STREAM}/tickets`, { method: 'POST', headers })
  const body = (await response.json()) as { code?: string; data?: { ticket: string; expires_in_seconds: number } }
  return { status: response.status, ...body }
}

async function ticketFor(token: string): Promise<string> {
  const { data } = await request({ authorization: `Bearer ${token}` })
  return data?.ticket ?? ''
}

const withTicket = (ticket: string) => `${gateway.url}${STREAM}?channel=trades&ticket=${ticket}`

test('a ticket opens one stream without a header, and it is not forwarded to the service', async () => {
  const { status, data } = await request({ authorization: `Bearer ${account.accessToken}` })
  expect([status, data?.expires_in_seconds]).toEqual([201, 30])
  const urls: unknown[] = []
  service.onOpen = (_socket, { url }) => urls.push(url)
  const { socket } = await openStream(withTicket(data?.ticket ?? ''), PAGE)
  expect(urls).toEqual([`${STREAM}?channel=trades`])
  const again = await rejectedStream(withTicket(data?.ticket ?? ''), PAGE)
  expect([again.status, again.body.code]).toEqual([401, 'credential.invalid'])
  socket.close()
  const routes = await waitUntil('both are recorded', () => {
    const found = gateway.usage().filter(({ account_id }) => account_id === account.id)
    return found.length >= 2 ? found : undefined
  })
  expect(routes.map(({ route, key_id }) => [route, key_id])).toEqual([
    [`${STREAM}/tickets`, 'session'],
    [STREAM, 'session'],
  ])
})

test('of three simultaneous uses of a ticket one opens a stream', async () => {
  const ticket = await ticketFor(account.accessToken)
  const uses = await Promise.allSettled([1, 2, 3].map(() => openStream(withTicket(ticket), PAGE)))
  const opened = uses.flatMap((use) => (use.status === 'fulfilled' ? [use.value] : []))
  expect(opened).toHaveLength(1)
  opened[0]?.socket.close()
})

test('a stream opened by the ticket of a key ends with the key', async () => {
  const { kid, apiKey } = addKey(edge, account)
  const { data } = await request({ 'x-api-key': apiKey })
  const record = edge.keys.get(kid)
  if (record === undefined) throw new Error('no such key')
  edge.keys.set(kid, { ...record, state: 'revoked', version: 2 })
  const redis = new Redis(testServers().redisUrl)
  await redis.hset(`acct:{${account.id}}`, `k:${kid}`, 2)
  redis.disconnect()
  const { status, body } = await rejectedStream(withTicket(data?.ticket ?? ''), PAGE)
  expect([status, body.code]).toEqual([401, 'api_key.revoked'])
})

test('the stream of a ticket ends with the access token that the ticket was made with', async () => {
  // On a busy machine a short life may end before the stream is open.
  let livesS = 2
  const closed = await waitUntil('a stream opens in the life of its token', async () => {
    livesS *= 2
    const token = accessTokenFor(account.id, { exp: Math.floor(Date.now() / 1_000) + livesS })
    return (await openStream(withTicket(await ticketFor(token)), PAGE)).closed
  })
  expect(closed).toEqual({ code: 4401, reason: 'credential.invalid' })
})

test('an access token that expires before its ticket is stored gets no ticket', async () => {
  const never = () => {
    throw new Error('not called')
  }
  const accounts = { account: never, findKey: never, lookUp: never }
  const store = { put: never, take: never }
  const tickets = new StreamTickets({ accounts, tokens: { find: () => undefined }, store, logger: silentLogger })
  const caller = { account: { id: account.id }, key: undefined, session: { id: crypto.randomUUID(), issuedAtS: 0 } }
  const issued = await tickets.issue(caller, { kind: 'token', text: account.accessToken })
  expect(issued).toMatchObject({ problem: { code: 'credential.invalid' } })
})

test('a ticket of a session without an expiry is rejected', async () => {
  const ticket = 'w'.repeat(32)
  const session = { id: crypto.randomUUID(), issuedAtS: Math.floor(Date.now() / 1_000) }
  const holder = { account: account.id, kid: null, session, until_ms: null }
  const redis = new Redis(testServers().redisUrl)
  await redis.set(`once:{stream-ticket:${hash('sha256', ticket)}}`, JSON.stringify(holder), 'PX', 30_000)
  redis.disconnect()
  const { status, body } = await rejectedStream(withTicket(ticket), PAGE)
  expect([status, body.code]).toEqual([401, 'credential.invalid'])
})

test.each([
  ['that does not exist', 'x'.repeat(32)],
  ['that is malformed', '../etc'],
  ['that is empty', ''],
])('a ticket %s is rejected', async (_what, ticket) => {
  const { status, body } = await rejectedStream(withTicket(ticket), PAGE)
  expect([status, body.code]).toEqual([401, 'credential.invalid'])
})

test('a ticket sent with the credential of another account is rejected and not used up', async () => {
  const ticket = await ticketFor(account.accessToken)
  const { status, body } = await rejectedStream(withTicket(ticket), { 'x-api-key': addAccount(edge).apiKey })
  expect([status, body.code]).toEqual([400, 'request.invalid'])
  const { socket } = await openStream(withTicket(ticket), PAGE)
  socket.close()
})

test('a ticket is accepted for streams only, and not from a page of another origin', async () => {
  const ticket = await ticketFor(account.accessToken)
  const foreign = await rejectedStream(withTicket(ticket), { origin: 'https://evil.example' })
  expect(foreign.status).toBe(403)
  const other = await ticketFor(account.accessToken)
  expect((await fetch(`${gateway.url}/api/v1/limits?ticket=${other}`)).status).toBe(401)
})

test('a key without the scope gets no ticket', async () => {
  const { apiKey } = addKey(edge, account, { scopes: ['trades:read'] })
  expect(await request({ 'x-api-key': apiKey })).toMatchObject({ status: 403, code: 'api_key.scope_missing' })
  expect(await request({})).toMatchObject({ status: 401, code: 'credential.missing' })
})

test('Redis has only the hash of a ticket, for at most 30 s', async () => {
  const ticket = await ticketFor(account.accessToken)
  const redis = new Redis(testServers().redisUrl)
  const lifeMs = await redis.pttl(`once:{stream-ticket:${hash('sha256', ticket)}}`)
  const names = await redis.keys('once:{stream-ticket:*}')
  redis.disconnect()
  expect(lifeMs).toBeGreaterThan(0)
  expect(lifeMs).toBeLessThanOrEqual(30_000)
  expect(names.some((name) => name.includes(ticket))).toBe(false)
})

test.each([
  ['/s?ticket=a', 'a', '/s'],
  ['/s?ticket=a&b=c', 'a', '/s?b=c'],
  ['/s?b=c&ticket=a', 'a', '/s?b=c'],
  ['/s?b=c&ticket=a&d=e', 'a', '/s?b=c&d=e'],
])('%s: the ticket and the address without it', (url, ticket, withoutTicket) => {
  expect(ticketIn(url)).toEqual({ ticket, withoutTicket })
})
