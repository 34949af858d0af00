import type { KeyRecord } from '@tapeline/contracts/api-key/key-record'
import { testServers } from '@tapeline/testing/test-servers'
import { raiseVersion } from '@tapeline/service/account-versions'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { usageByKind } from '../../test/usage-cells.fixture.ts'

const LIST = '/api/v1/trades/list'
const DETAILS = '/api/v1/internal/user/details'

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

async function send(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(gateway.url + path, { method, headers })
  const text = await response.text()
  const body: { code?: string } =
    response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : {}
  return { status: response.status, code: body.code, headers: response.headers }
}
const withKey = ({ apiKey }: TestAccount) => ({ authorization: `Bearer ${apiKey}` })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const usageOf = ({ id }: TestAccount) => gateway.usage().filter(({ account_id }) => account_id === id)

/** As an owner does: changes its record, then writes the version to Redis. */
async function changeKey(
  { id, kid }: TestAccount,
  change: Partial<Pick<KeyRecord, 'state' | 'expires_at_ms' | 'replaced_at_ms'>>,
) {
  const record = edge.keys.get(kid)
  if (record === undefined) throw new Error('no such key')
  const version = record.version + 1
  edge.keys.set(kid, { ...record, ...change, version })
  await raiseVersion(redis, { accountId: id, field: `k:${kid}`, version })
}

async function changeUser(
  { id }: TestAccount,
  change: Partial<{ role: 'admin'; status: string; not_before: number; ended_session_ids: string[] }>,
) {
  const record = edge.accounts.get(id)
  if (record === undefined) throw new Error('no such account')
  const version = record.version + 1
  edge.accounts.set(id, { ...record, ...change, version })
  await raiseVersion(redis, { accountId: id, field: 'u', version })
}

test('a key works in either header, and its request is counted', async () => {
  const account = addAccount(edge)
  expect((await send(LIST, withKey(account))).status).toBe(200)
  expect((await send(LIST, { 'x-api-key': account.apiKey })).status).toBe(200)
  expect(usageOf(account)).toHaveLength(2)
})

test('a revoked key is rejected from the next request on, counted as refused', async () => {
  const account = addAccount(edge)
  expect((await send(LIST, withKey(account))).status).toBe(200)
  await changeKey(account, { state: 'revoked' })
  expect(await send(LIST, withKey(account))).toMatchObject({ status: 401, code: 'api_key.revoked' })
  expect(usageOf(account)[1]).toMatchObject({
    status: 401,
    code: 'api_key.revoked',
    decision: { verdict: 'refused', windows: [] },
  })
  expect(new Set(Object.keys(await usageByKind(redis, account.id)))).toEqual(new Set(['admitted', 'refused']))
})

test('an activated key works from the next request on', async () => {
  const account = addAccount(edge)
  await changeKey(account, { state: 'inactive' })
  expect((await send(LIST, withKey(account))).code).toBe('api_key.inactive')
  await changeKey(account, { state: 'active' })
  expect((await send(LIST, withKey(account))).status).toBe(200)
})

test('a revocation applies although Redis has lost all data', async () => {
  const account = addAccount(edge)
  expect((await send(LIST, withKey(account))).status).toBe(200)
  const record = edge.keys.get(account.kid)
  if (record !== undefined) edge.keys.set(account.kid, { ...record, state: 'revoked', version: 2 })
  await redis.del(`acct:{${account.id}}`, `windows:{${account.id}}`)
  expect((await send(LIST, withKey(account))).code).toBe('api_key.revoked')
})

test('an expired key is rejected', async () => {
  const account = addAccount(edge)
  await changeKey(account, { expires_at_ms: Date.now() - 1 })
  expect(await send(LIST, withKey(account))).toMatchObject({ status: 401, code: 'api_key.expired' })
})

test.each([
  ['after its grace, by the record it was admitted with', { replaced_at_ms: 1, expires_at_ms: 1 }],
  ['replaced without a grace', { state: 'revoked', replaced_at_ms: Date.now() }],
] as const)('a replaced secret is rejected as replaced, not as expired or revoked: %s', async (_, change) => {
  const account = addAccount(edge)
  await changeKey(account, change)
  expect(await send(LIST, withKey(account))).toMatchObject({ status: 401, code: 'api_key.replaced' })
  await waitUntil('it is recorded', () => usageOf(account).find(({ code }) => code === 'api_key.replaced'))
})

test('a replaced secret works within its grace period', async () => {
  const account = addAccount(edge)
  await changeKey(account, { replaced_at_ms: Date.now() + 60_000, expires_at_ms: Date.now() + 60_000 })
  expect((await send(LIST, withKey(account))).status).toBe(200)
})

test('an unknown kid and a wrong secret get the same answer and cause no event', async () => {
  const account = addAccount(edge)
  const unknownAccount = addAccount(edge)
  edge.keys.delete(unknownAccount.kid)
  const record = edge.keys.get(account.kid)
  if (record !== undefined) edge.keys.set(account.kid, { ...record, secret_sha256: '0'.repeat(64) })
  const [unknown, wrong] = [await send(LIST, withKey(unknownAccount)), await send(LIST, withKey(account))]
  expect([unknown.status, unknown.code]).toEqual([401, 'credential.invalid'])
  expect([wrong.status, wrong.code]).toEqual([401, 'credential.invalid'])
  expect([...usageOf(account), ...usageOf(unknownAccount)]).toEqual([])
})

test('a key in the URL is rejected, even with another valid credential', async () => {
  const account = addAccount(edge)
  for (const query of [`api_key=${account.apiKey}`, `apikey=x`, `cursor=${account.apiKey}`, 'access_token=x']) {
    expect(await send(`${LIST}?${query}`, withKey(account)), query).toMatchObject({
      status: 400,
      code: 'credential.in_query',
    })
  }
  expect(
    (await send(`/api/v1/internal/apikeyaudit/dashboard-metrics?apiKeyId=1`, bearer(account.accessToken))).status,
  ).toBe(200)
})

test('a dashboard call with an API key is rejected and counted', async () => {
  const account = addAccount(edge)
  expect(await send(DETAILS, withKey(account))).toMatchObject({ status: 403, code: 'request.forbidden' })
  expect(usageOf(account)).toMatchObject([
    { status: 403, decision: { verdict: 'refused' }, route: '/api/v1/internal/user/*' },
  ])
})

test('an outdated record is never used while its owner does not answer', async () => {
  const account = addAccount(edge)
  expect((await send(LIST, withKey(account))).status).toBe(200)
  edge.silent.add('keys')
  try {
    await raiseVersion(redis, { accountId: account.id, field: `k:${account.kid}`, version: 9 })
    const refused = await send(LIST, withKey(account))
    expect([refused.status, refused.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'account.unavailable',
      '1',
    ])
  } finally {
    edge.silent.clear()
  }
  const record = edge.keys.get(account.kid)
  if (record !== undefined) edge.keys.set(account.kid, { ...record, version: 9 })
  await waitUntil('the key is read again', async () => (await send(LIST, withKey(account))).status === 200)
})

test('concurrent requests with the same stale record cause at most two calls to its owner', async () => {
  const account = addAccount(edge)
  await send(LIST, withKey(account))
  edge.requests.length = 0
  await changeUser(account, {})
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(LIST, withKey(account))))
  expect(replies.every(({ status }) => status === 200)).toBe(true)
  expect(edge.requests.filter((url) => url.includes(account.id)).length).toBeLessThanOrEqual(2)
})

test('without a credential, public routes are accessible and data is not', async () => {
  expect(await send(LIST, {}, 'POST')).toMatchObject({ status: 401, code: 'credential.missing' })
  expect((await send('/api/v1/sample/BTC-USDT')).status).toBe(200)
  expect((await send('/api/v1/internal/subscription/pricing')).status).toBe(200)
  expect((await send('/api/v1/internal/user/feature-flags')).status).toBe(200)
  expect((await send('/api/v1/health')).status).toBe(200)
  expect(await send('/api/v1/nothing')).toMatchObject({ status: 404, code: 'request.route_not_found' })
  expect(await send('/-/failure')).toMatchObject({ status: 404 })
  expect((await send('/metrics')).status).toBe(404)
})

test('every request with a key is counted on any route, except for reading the limits', async () => {
  const account = addAccount(edge)
  const paths = ['/api/v1/health', '/api/v1/sample/BTC', '/api/v1/internal/subscription/pricing', '/api/v1/limits']
  for (const path of paths) expect((await send(path, withKey(account))).status, path).toBe(200)
  const routes = ['/api/v1/health', '/api/v1/sample/*', '/api/v1/internal/subscription/pricing']
  expect(usageOf(account).map(({ route }) => route)).toEqual(routes)
})
