import type { KeyRecord } from '@tapeline/contracts/api-key/key-record'
import { ACTOR_HEADER, verifyActorToken } from '@tapeline/service/actor-token'
import { raiseVersion } from '@tapeline/service/account-versions'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { testServers } from '@tapeline/testing/test-servers'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, addKey, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'

const KEYS = '/api/v1/internal/api-keys'
const SERVICES = ['api-key', 'audit', 'market-data', 'identity', 'config'] as const

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

function serviceKey(account: TestAccount, scopes: string[], fields: Partial<KeyRecord> = {}) {
  return addKey(edge, account, { kind: 'service', scopes, ...fields })
}

async function send(apiKey: string, path: string, method = 'GET') {
  const response = await fetch(gateway.url + path, { method, headers: { authorization: `Bearer ${apiKey}` } })
  const text = await response.text()
  const isProblem = response.headers.get('content-type')?.includes('problem') === true
  const { code, scope }: { code?: string; scope?: string } = isProblem ? JSON.parse(text) : {}
  return { status: response.status, code, scope }
}

test.each([
  ['GET', KEYS, 'keys:read'],
  ['POST', KEYS, 'keys:write'],
  ['GET', `${KEYS}/${crypto.randomUUID()}`, 'keys:read'],
  ['PUT', `${KEYS}/${crypto.randomUUID()}`, 'keys:write'],
  ['PATCH', `${KEYS}/${crypto.randomUUID()}/revoke`, 'keys:write'],
  ['DELETE', `${KEYS}/${crypto.randomUUID()}/delete`, 'keys:write'],
  ['GET', `${KEYS}/usage`, 'usage:read'],
  ['GET', '/api/v1/internal/apikeyaudit/dashboard-metrics', 'usage:read'],
  ['GET', '/api/v1/internal/apikeyaudit/export', 'usage:read'],
  ['GET', '/api/v1/internal/requests', 'requests:read'],
  ['GET', '/api/v1/internal/requests/export', 'requests:read'],
  ['GET', `/api/v1/internal/requests/${'0'.repeat(32)}`, 'requests:read'],
  ['GET', '/api/v1/internal/audit-trail', 'audit:read'],
])('%s %s needs the scope %s', async (method, path, scope) => {
  const account = addAccount(edge)
  const others = ['keys:read', 'keys:write', 'usage:read', 'requests:read', 'audit:read', 'trades:read']
  const lacking = serviceKey(
    account,
    others.filter((one) => one !== scope),
  )
  expect(await send(lacking.apiKey, path, method)).toEqual({ status: 403, code: 'api_key.scope_missing', scope })
  expect((await send(serviceKey(account, [scope]).apiKey, path, method)).status).toBe(200)
})

test('no scope grants access to sessions, passwords, the profile, settings, plans or administration', async () => {
  const account = addAccount(edge)
  const record = edge.accounts.get(account.id)
  if (record !== undefined) edge.accounts.set(account.id, { ...record, role: 'admin' })
  const all = ['keys:read', 'keys:write', 'usage:read', 'requests:read', 'webhooks:write', 'audit:read', 'trades:read']
  const { apiKey } = serviceKey(account, all)
  for (const [method, path] of [
    ['GET', '/api/v1/internal/user/sessions'],
    ['DELETE', '/api/v1/internal/user/sessions'],
    ['POST', '/api/v1/internal/user/change-password'],
    ['POST', '/api/v1/internal/user/change-email'],
    ['GET', '/api/v1/internal/user/details'],
    ['PATCH', '/api/v1/internal/user/update'],
    ['DELETE', '/api/v1/internal/user/account'],
    ['PUT', '/api/v1/internal/user/settings'],
    ['GET', '/api/v1/internal/subscription'],
    ['POST', '/api/v1/internal/subscription/cancel'],
    ['GET', '/api/v1/internal/events'],
    ['GET', '/api/v1/admin/users'],
    ['GET', '/api/v1/admin/feature-flags'],
    ['PUT', '/api/v1/admin/tiers'],
  ] as const) {
    const { status, code } = await send(apiKey, path, method)
    expect([status, code], `${method} ${path}`).toEqual([403, 'request.forbidden'])
  }
})

test('a market-data key with the name of a service scope cannot make dashboard calls', async () => {
  const { apiKey } = addKey(edge, addAccount(edge), { scopes: ['trades:read', 'keys:read', 'keys:write'] })
  expect(await send(apiKey, KEYS)).toMatchObject({ status: 403, code: 'request.forbidden' })
})

test('a service key reads market data only with the scope for it', async () => {
  const account = addAccount(edge)
  const { apiKey } = serviceKey(account, ['keys:read'])
  expect(await send(apiKey, '/api/v1/trades/list', 'POST')).toMatchObject({ status: 403, scope: 'trades:read' })
  const both = serviceKey(account, ['keys:read', 'trades:read'])
  expect((await send(both.apiKey, '/api/v1/trades/list', 'POST')).status).toBe(200)
})

test('the service receives the account, the key and its scopes, and never the role of an admin', async () => {
  const account = addAccount(edge)
  const record = edge.accounts.get(account.id)
  if (record !== undefined) edge.accounts.set(account.id, { ...record, role: 'admin' })
  const { apiKey, kid } = serviceKey(account, ['keys:read'])
  const tokens: string[] = []
  edge.upstream = (request, reply) => {
    tokens.push(String(request.headers[ACTOR_HEADER]))
    reply.end('{}')
  }
  try {
    expect((await send(apiKey, KEYS)).status).toBe(200)
  } finally {
    edge.upstream = (_request, reply) => reply.end('{}')
  }
  const actors = SERVICES.map(
    (audience) => verifyActorToken(testInternalKeys, { token: tokens[0] ?? '', audience, nowMs: Date.now() })?.actor,
  )
  const expected = { userId: account.id, role: 'user', sessionId: null, scopes: ['keys:read'] }
  expect(actors[0]).toMatchObject({ ...expected, keyId: edge.keys.get(kid)?.key_id })
  expect(actors.slice(1)).toEqual([undefined, undefined, undefined, undefined])
})

test('its calls are counted, and revocation and address list hold from the next request on', async () => {
  const account = addAccount(edge)
  const { apiKey, kid } = serviceKey(account, ['keys:read'])
  const change = async (fields: Partial<KeyRecord>) => {
    const record = edge.keys.get(kid)
    if (record === undefined) throw new Error('no such key')
    const version = record.version + 1
    edge.keys.set(kid, { ...record, ...fields, version })
    await raiseVersion(redis, { accountId: account.id, field: `k:${kid}`, version })
  }
  expect((await send(apiKey, KEYS)).status).toBe(200)
  await change({ networks: ['203.0.113.0/24'] })
  expect(await send(apiKey, KEYS)).toMatchObject({ status: 403, code: 'api_key.address_not_allowed' })
  await change({ networks: [], state: 'revoked' })
  expect(await send(apiKey, KEYS)).toMatchObject({ status: 401, code: 'api_key.revoked' })
  const events = gateway.usage().filter(({ account_id }) => account_id === account.id)
  expect(events.map(({ route, status }) => [route, status])).toEqual([
    [KEYS, 200],
    [KEYS, 403],
    [KEYS, 401],
  ])
})

test('a service key presented under another label is not valid', async () => {
  const account = addAccount(edge)
  const { kid, apiKey } = addKey(edge, account)
  const record = edge.keys.get(kid)
  if (record !== undefined) edge.keys.set(kid, { ...record, kind: 'service', version: 2 })
  expect(await send(apiKey, '/api/v1/trades/list', 'POST')).toMatchObject({ status: 401, code: 'credential.invalid' })
})
