import { testServers } from '@tapeline/testing/test-servers'
import { raiseVersion } from '@tapeline/service/account-versions'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessTokenFor, addAccount, type TestAccount, type TokenClaims } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'

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

/** As identity does: changes its record, then writes the version to Redis. */
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

test('dashboard calls with an access token are not counted; market-data calls are counted under the key id "session"', async () => {
  const account = addAccount(edge, { requestsPerMinute: 1 })
  // Until the account's counters are loaded, the fallback limiter decides, with other limits.
  await waitUntil('Redis decides', async () => {
    const { status, headers } = await send('/api/v1/limits', withKey(account))
    return status === 200 && !headers.has('x-ratelimit-policy')
  })
  for (let n = 0; n < 3; n += 1) expect((await send(DETAILS, bearer(account.accessToken))).status).toBe(200)
  expect((await send(LIST, bearer(account.accessToken))).status).toBe(200)
  expect((await send(LIST, bearer(account.accessToken))).code).toBe('limit.minute_exceeded')
  expect(usageOf(account)).toMatchObject([
    { key_id: 'session', kid: null, status: 200 },
    { key_id: 'session', kid: null, status: 429 },
  ])
})

test.each<[string, TokenClaims]>([
  ['expired', { exp: Math.floor(Date.now() / 1_000) - 1 }],
  ['for another audience', { aud: 'other' }],
  ['of another issuer', { iss: 'other' }],
  ['of another kind', { typ: 'JWT' }],
  ['with an unknown key', { kid: 'other' }],
])('an access token is rejected: %s', async (_what, claims) => {
  const { id } = addAccount(edge)
  expect(await send(DETAILS, bearer(accessTokenFor(id, claims)))).toMatchObject({
    status: 401,
    code: 'credential.invalid',
  })
})

test('a changed or unsigned token is rejected', async () => {
  const { accessToken } = addAccount(edge)
  const [, payload = '', signature = ''] = accessToken.split('.')
  const none = Buffer.from('{"alg":"none","typ":"at+jwt","kid":"test"}').toString('base64url')
  const texts = [
    `${none}.${payload}.`,
    `${none}.${payload}.${signature}`,
    `${accessToken.slice(0, -4)}AAAA`,
    'x.y.z',
    '',
  ]
  for (const text of texts) expect((await send(DETAILS, bearer(text))).status, text).toBe(401)
})

test('the token of an ended session is rejected at once; other sessions of the account are not affected', async () => {
  const account = addAccount(edge)
  const ended = accessTokenFor(account.id, { sid: 'mine' })
  const other = accessTokenFor(account.id, { sid: 'other' })
  expect((await send(DETAILS, bearer(ended))).status).toBe(200)
  await changeUser(account, { ended_session_ids: ['mine'] })
  expect(await send(DETAILS, bearer(ended))).toMatchObject({ status: 401, code: 'session.ended' })
  expect((await send(DETAILS, bearer(other))).status).toBe(200)
})

test('services receive a new role with the next request of a session', async () => {
  const account = addAccount(edge)
  const token = accessTokenFor(account.id, { sid: 'mine' })
  expect((await send(DETAILS, bearer(token))).status).toBe(200)
  await changeUser(account, { role: 'admin' })
  const actorToken = new Promise<string>((resolve) => {
    edge.upstream = (request, reply) => {
      resolve(Buffer.from(String(request.headers['x-actor']).split('.')[0] ?? '', 'base64url').toString())
      reply.end('{}')
    }
  })
  expect((await send(DETAILS, bearer(token))).status).toBe(200)
  expect(JSON.parse(await actorToken)).toMatchObject({ actor: { role: 'admin', sessionId: 'mine' } })
})

test('a token issued before `not_before` is rejected at once', async () => {
  const account = addAccount(edge)
  expect((await send(DETAILS, bearer(account.accessToken))).status).toBe(200)
  await changeUser(account, { not_before: Math.floor(Date.now() / 1_000) + 1 })
  expect((await send(DETAILS, bearer(account.accessToken))).code).toBe('session.ended')
})

test('tokens and keys of a deactivated account are rejected at once', async () => {
  const account = addAccount(edge)
  expect((await send(DETAILS, bearer(account.accessToken))).status).toBe(200)
  expect((await send(LIST, withKey(account))).status).toBe(200)
  await changeUser(account, { status: 'inactive' })
  expect((await send(DETAILS, bearer(account.accessToken))).code).toBe('session.ended')
  expect(await send(LIST, withKey(account))).toMatchObject({ status: 401, code: 'credential.invalid' })
})
