import { once } from 'node:events'
import { connect } from 'node:net'
import type { KeyRecord } from '@tapeline/contracts/api-key/key-record'
import { ACTOR_HEADER, verifyActorToken } from '@tapeline/service/actor-token'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, addKey, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { usageByKind } from '../../test/usage-cells.fixture.ts'

// Scopes, networks and expiry of a key: each change applies to the next request.

const LIST = '/api/v1/trades/list'

let edge: Edge
let gateway: TestGateway
let redis: Redis

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge)
  redis = new Redis(testServers().redisUrl)
})
afterAll(async () => {
  redis.disconnect()
  await gateway.stop()
  await edge.stop()
})

const send = (apiKey: string, path = LIST): Promise<Response> =>
  fetch(gateway.url + path, { headers: { 'x-api-key': apiKey } })
const usageOf = ({ id }: TestAccount) => gateway.usage().filter(({ account_id }) => account_id === id)

/** As its owner does it: the record first, then its version for the gateways. */
async function change(account: TestAccount, fields: Partial<KeyRecord>): Promise<void> {
  const record = edge.keys.get(account.kid)
  if (record === undefined) throw new Error('no such key')
  edge.keys.set(account.kid, { ...record, ...fields, version: record.version + 1 })
  await redis.hset(`acct:{${account.id}}`, `k:${account.kid}`, record.version + 1)
}

test.each([
  ['trades:read', 'l2events:read'],
  ['l2events:read', 'trades:read'],
] as const)(
  'a key with only the scope %s is rejected where %s is needed, and counted as refused',
  async (has, lacks) => {
    const account = addAccount(edge)
    await change(account, { scopes: [has] })
    const path = (scope: string) => `/api/v1/${scope.split(':')[0]}/list`
    expect((await send(account.apiKey, path(has))).status).not.toBe(403)
    const refused = await send(account.apiKey, path(lacks))
    const detail = expect.stringContaining(lacks)
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: 'api_key.scope_missing', detail, scope: lacks },
    ])
    for (const open of ['/api/v1/health', '/api/v1/limits', '/api/v1/instruments']) {
      expect((await send(account.apiKey, open)).status, open).not.toBe(403)
    }
    const event = await waitUntil('the event is there', () => usageOf(account).find(({ status }) => status === 403))
    expect(event).toMatchObject({ code: 'api_key.scope_missing', decision: { verdict: 'refused', windows: [] } })
    expect(await usageByKind(redis, account.id)).toMatchObject({ refused: 1 })
    await change(account, { scopes: [has, lacks] })
    expect((await send(account.apiKey, path(lacks))).status).not.toBe(403)
  },
)

test('a key is accepted only from the addresses on its list, from the next request on', async () => {
  const account = addAccount(edge)
  await change(account, { networks: ['203.0.113.0/24', '2001:db8::/32'] })
  for (let n = 0; n < 2; n += 1) {
    const refused = await send(account.apiKey)
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: 'api_key.address_not_allowed', address: '127.0.0.1', detail: expect.stringContaining('from 127.0.0.1') },
    ])
  }
  const event = await waitUntil('the event is there', () => usageOf(account).find(({ status }) => status === 403))
  expect(event).toMatchObject({ code: 'api_key.address_not_allowed', decision: { verdict: 'refused' } })
  await change(account, { networks: ['203.0.113.0/24', '127.0.0.0/8'] })
  for (let n = 0; n < 2; n += 1) expect((await send(account.apiKey)).status).toBe(200)
  await change(account, { networks: ['::1'] })
  for (let n = 0; n < 2; n += 1) expect((await send(account.apiKey)).status).toBe(403)
  await change(account, { networks: [] })
  expect((await send(account.apiKey)).status).toBe(200)
})

test('a client that resets its connection after its request has an address, for the list of its key and in the event', async () => {
  const account = addAccount(edge)
  await change(account, { networks: ['127.0.0.0/8'] })
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  await once(socket, 'connect')
  // Once this is answered, the connection is accepted and the key is cached.
  expect((await send(account.apiKey)).status).toBe(200)
  socket.write(`GET ${LIST} HTTP/1.1\r\nhost: x\r\nx-api-key: ${account.apiKey}\r\n\r\n`)
  socket.resetAndDestroy()
  const events = await waitUntil('both events', () => (usageOf(account).length === 2 ? usageOf(account) : undefined))
  expect(events[1]).toMatchObject({ status: 499, outcome: 'aborted', network: '127.0.0.0/24' })
})

test('a key expires without a change of its record, and is valid again when its expiry is moved', async () => {
  const account = addAccount(edge)
  const expiresMs = Date.now() + 1_500
  await change(account, { expires_at_ms: expiresMs })
  const before: number[] = []
  const expired = await waitUntil('it has expired', async () => {
    const startedMs = Date.now()
    const response = await send(account.apiKey)
    if (Date.now() < expiresMs) before.push(response.status)
    return startedMs < expiresMs ? undefined : response
  })
  expect([expired.status, await expired.json()]).toMatchObject([401, { code: 'api_key.expired' }])
  expect(before.every((status) => status === 200)).toBe(true)
  await change(account, { expires_at_ms: Date.now() + 3_600_000 })
  expect((await send(account.apiKey)).status).toBe(200)
})

test('the service receives that a key is a test key', async () => {
  const account = addAccount(edge)
  const { kid, apiKey } = addKey(edge, account, { environment: 'test' })
  const tokens: string[] = []
  edge.upstream = (request, reply) => {
    tokens.push(String(request.headers[ACTOR_HEADER]))
    reply.end('{}')
  }
  expect(apiKey).toMatch(/^tl_test_/)
  expect((await send(apiKey)).status).toBe(200)
  const [token = ''] = tokens
  const verified = verifyActorToken(testInternalKeys, { token, audience: 'market-data', nowMs: Date.now() })
  expect(verified?.actor).toMatchObject({ environment: 'test', keyId: edge.keys.get(kid)?.key_id })
  edge.upstream = (_request, reply) => reply.end('{}')
})
