import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { ACTOR_HEADER, verifyActorToken } from '@tapeline/service/actor-token'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { PARTIAL_OUTAGE_HEADER } from '@tapeline/service/app-error'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { testDeps, makeKey } from '../../test/deps.fixture.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'

const KEYS = '/api/v1/internal/api-keys'
const NONE = { total: 0, success: 0, failed: 0, denied: 0, client_errors: 0, server_errors: 0 }
const REPORT: UsageReport = {
  as_of: '2026-03-10T12:00:00Z',
  final_until: null,
  drift: null,
  unverified_minutes: 0,
  adjusted: 0,
  period: { from: '2026-03-09T12:00:00Z', to: '2026-03-10T12:00:00Z', tz: 'UTC', bucket: 'hour' },
  ...NONE,
  total: 3,
  success: 3,
  latency_ms: null,
  series: [],
  rows: [{ key: '/api/v1/trades/list', ...NONE, total: 3, success: 3, latency_ms: null, last_at: null }],
  limits: [],
  streams: null,
  previous: null,
  locked: [],
}

/** A real HTTP server in place of audit, which records the requests. */
type ReceivedRequest = { path: string | undefined; actor: unknown; body: unknown }
let received: ReceivedRequest[] = []
let reply: (response: ServerResponse) => unknown = () => {}
const audit = createServer((request, response) => void serve(request, response))
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = String(request.headers[ACTOR_HEADER])
  const verified = verifyActorToken(testInternalKeys, { token, audience: 'audit', nowMs: Date.now() })
  const body: unknown = JSON.parse(Buffer.concat(await request.toArray()).toString())
  received.push({ path: request.url, actor: verified?.actor, body })
  reply(response)
}
await new Promise<void>((resolve) => audit.listen(0, '127.0.0.1', resolve))
const address = audit.address()
const port = typeof address === 'object' ? address?.port : undefined

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
const deps = testDeps(db, redis, { nowMs: Date.now() }, `http://127.0.0.1:${port}`)
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
const lonely = await createApp(testDeps(db, redis), {
  logger: silentLogger,
  internalKeys: testInternalKeys,
  checks: {},
})
beforeEach(() => {
  received = []
  reply = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(REPORT))
})
afterAll(async () => {
  await app.close()
  await lonely.close()
  audit.closeAllConnections()
  await new Promise((resolve) => audit.close(resolve))
  redis.disconnect()
  await drop()
})

async function someKey() {
  const actor = someUser({ tier: 'pro' })
  return { actor, ...(await makeKey(deps, actor, { name: 'ci' })) }
}

test.each([
  [(id: string) => `${KEYS}/usage?api_key_id=${id}`, { days: 30, group_by: 'key' }],
  [(id: string) => `${KEYS}/${id}/analytics`, { days: 30, group_by: 'endpoint' }],
  [(id: string) => `${KEYS}/${id}/analytics?days=90`, { days: 90, group_by: 'endpoint' }],
])('the owner gets the usage counted by audit', async (urlOf, question) => {
  const { actor, id } = await someKey()
  const answered = await callAs(app, 'api-key', actor, { method: 'GET', url: urlOf(id) })
  expect(answered.json()).toMatchObject({ success: true, data: REPORT })
  expect(received).toEqual([
    {
      path: '/internal/key-usage',
      actor: { kind: 'service', service: 'api-key' },
      body: { owner: expect.objectContaining({ userId: actor.userId, tier: 'pro' }), key_id: id, ...question },
    },
  ])
})

test("another user's key is answered like one that does not exist, without a call to audit", async () => {
  const { id } = await someKey()
  const otherUser = someUser({ role: 'admin' })
  for (const keyId of [id, crypto.randomUUID()]) {
    for (const url of [`${KEYS}/usage?api_key_id=${keyId}`, `${KEYS}/${keyId}/analytics`]) {
      const failed = await callAs(app, 'api-key', otherUser, { method: 'GET', url })
      expect([failed.statusCode, failed.headers['x-error-code']]).toEqual([404, 'api_key.not_found'])
    }
  }
  expect(received).toEqual([])
})

test.each([
  ['usage', '/api_key_id'],
  ['usage?api_key_id=mine', '/api_key_id'],
  [`${crypto.randomUUID()}/analytics?days=0`, '/days'],
  [`${crypto.randomUUID()}/analytics?days=91`, '/days'],
  [`${crypto.randomUUID()}/analytics?days=x`, '/days'],
  ['mine/analytics', '/id'],
])('%s names its invalid field', async (path, field) => {
  const failed = await callAs(app, 'api-key', someUser(), { method: 'GET', url: `${KEYS}/${path}` })
  expect(failed.json()).toMatchObject({ status: 400, errors: [{ field }] })
})

test('when audit is unavailable the response is a 503 with Retry-After, and the breaker then saves the connection', async () => {
  const { actor, id } = await someKey()
  for (let n = 0; n < 12; n += 1) {
    const failed = await callAs(lonely, 'api-key', actor, { method: 'GET', url: `${KEYS}/${id}/analytics` })
    expect(failed.json()).toMatchObject({ status: 503, code: 'service.unavailable' })
    expect([failed.headers['retry-after'], failed.headers[PARTIAL_OUTAGE_HEADER]]).toEqual(['1', 'true'])
  }
  reply = (response) => response.writeHead(500).end()
  for (let n = 0; n < 12; n += 1) {
    await callAs(app, 'api-key', actor, { method: 'GET', url: `${KEYS}/usage?api_key_id=${id}` })
  }
  expect(received.length).toBeLessThan(12)
})

test('a response of another shape is not forwarded', async () => {
  const { actor, id } = await someKey()
  const strict = await createApp(testDeps(db, redis, { nowMs: Date.now() }, `http://127.0.0.1:${port}`), {
    logger: silentLogger,
    internalKeys: testInternalKeys,
    checks: {},
  })
  reply = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"total":"many"}')
  const failed = await callAs(strict, 'api-key', actor, { method: 'GET', url: `${KEYS}/${id}/analytics` })
  await strict.close()
  expect(failed.statusCode).toBe(503)
})
