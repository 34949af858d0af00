import type { Actor } from '@tapeline/contracts/actor'
import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { type Call, callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { depsUnderTest } from './deps-under-test.ts'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

const KEYS = '/api/v1/internal/api-keys'
const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 2_000 })
expect(await redisReady(redis, 5_000)).toBe(true)
const options = { logger: silentLogger, internalKeys: testInternalKeys, checks: {} }
const app = await createApp(depsUnderTest(db, redis), options)
afterAll(async () => {
  await app.close()
  redis.disconnect()
  await drop()
})

const send = (actor: Actor, method: Call['method'], url: string, body?: unknown) =>
  callAs(app, 'api-key', actor, { method, url, body })

async function someKey(actor: Actor): Promise<CreatedKey> {
  const { data }: { data: CreatedKey } = (await send(actor, 'POST', KEYS, { name: 'ci' })).json()
  return data
}

function keyPaths(id: string): [Call['method'], string][] {
  return [
    ['GET', `${KEYS}/${id}`],
    ['PATCH', `${KEYS}/${id}/revoke`],
    ['POST', `${KEYS}/${id}/regenerate`],
    ['DELETE', `${KEYS}/${id}/delete`],
  ]
}

test('a key lives from its creation to its removal', async () => {
  const actor = someUser()
  const created = await send(actor, 'POST', KEYS, { name: 'ci', description: null, expires_at: '2100-01-01' })
  expect(created.statusCode).toBe(201)
  const { data }: { data: CreatedKey } = created.json()
  expect(data).toMatchObject({ name: 'ci', key: { expires_at: '2100-01-01T23:59:59.999Z' } })
  const one = { success: true, message: 'API key', data: { key: data.key } }
  expect((await send(actor, 'GET', `${KEYS}/${data.key.id}`)).json()).toEqual(one)
  expect((await send(actor, 'GET', KEYS)).json()).toMatchObject({ data: { apiKeys: [data.key] } })
  const regenerated = await send(actor, 'POST', `${KEYS}/${data.key.id}/regenerate`)
  expect(regenerated.json()).toMatchObject({ success: true, data: { name: 'ci', key: { id: data.key.id } } })
  const revoked = await send(actor, 'PATCH', `${KEYS}/${data.key.id}/revoke`)
  expect(revoked.json()).toMatchObject({ success: true, data: { key: { status: 'revoked' } } })
  const again = await send(actor, 'PATCH', `${KEYS}/${data.key.id}/revoke`)
  expect(again.statusCode).toBe(409)
  const deleted = await send(actor, 'DELETE', `${KEYS}/${data.key.id}/delete`)
  expect(deleted.json()).toEqual({ success: true, message: 'API key deleted', data: { id: data.key.id } })
  expect((await send(actor, 'GET', KEYS)).json()).toMatchObject({ data: { apiKeys: [] } })
})

test('only the answers to creation and regeneration hold a secret', async () => {
  const actor = someUser()
  const { apiKey, key } = await someKey(actor)
  const secret = apiKey.split('_')[3] ?? ''
  for (const [method, url] of [['GET', KEYS] as const, ...keyPaths(key.id)]) {
    expect((await send(actor, method, url)).payload).not.toContain(secret)
  }
})

test.each([
  ['/name', {}],
  ['/name', { name: '' }],
  ['/name', { name: '   ' }],
  ['/name', { name: 'x'.repeat(81) }],
  ['/name', { name: 7 }],
  ['/name', { name: 'nul\u0000' }],
  ['/description', { name: 'ci', description: 'x'.repeat(501) }],
  ['/expires_at', { name: 'ci', expires_at: 'tomorrow' }],
  ['/expires_at', { name: 'ci', expires_at: '2100-02-30' }],
  ['/expires_at', { name: 'ci', expires_at: '2020-01-01' }],
  ['/scopes', { name: 'ci', scopes: ['everything'] }],
])('bad input is answered with the field %s', async (field, body) => {
  const actor = someUser()
  const failed = await send(actor, 'POST', KEYS, body)
  expect(failed.statusCode).toBe(400)
  expect(failed.headers['content-type']).toContain('application/problem+json')
  const { errors }: { errors: { field: string }[] } = failed.json()
  expect(errors[0]?.field).toBe(field)
  expect((await send(actor, 'GET', KEYS)).json()).toMatchObject({ data: { apiKeys: [] } })
})

test.each(keyPaths('not-a-uuid'))('%s %s names the parameter that is no key id', async (method, url) => {
  const failed = await send(someUser(), method, url)
  expect(failed.statusCode).toBe(400)
  expect(failed.json()).toMatchObject({ errors: [{ field: '/id' }] })
})

test("another user's key is answered like a key that does not exist, on every path", async () => {
  const { key } = await someKey(someUser())
  const stranger = someUser({ role: 'admin' })
  const missing = crypto.randomUUID()
  for (const [n, [method, url]] of keyPaths(key.id).entries()) {
    const foreign = await send(stranger, method, url)
    const absent = await send(stranger, method, keyPaths(missing)[n]?.[1] ?? '')
    expect(foreign.statusCode).toBe(404)
    expect(withoutIds(foreign.payload, key.id)).toBe(withoutIds(absent.payload, missing))
  }
})

/** The answer without what differs between any two answers. */
function withoutIds(payload: string, keyId: string): string {
  return payload.replace(/"request_id":"[0-9a-f]{32}"/, '').replaceAll(keyId, '')
}

test('keys are managed in a session: not with a key, not as a visitor, not past the gateway', async () => {
  const owner = someUser()
  const { key } = await someKey(owner)
  for (const [method, url] of [['POST', KEYS] as const, ['GET', KEYS] as const, ...keyPaths(key.id)]) {
    const byKey = await send(someUser({ userId: owner.userId, keyId: key.id }), method, url)
    expect([byKey.statusCode, byKey.headers['x-error-code']]).toEqual([403, 'request.forbidden'])
    expect((await send({ kind: 'anonymous' }, method, url)).statusCode).toBe(401)
    expect((await app.inject({ method, url })).statusCode).toBe(401)
  }
})

test('the record of a kid is the gateway’s to read', async () => {
  const { apiKey, key } = await someKey(someUser())
  const url = `/internal/keys/${apiKey.split('_')[2]}`
  const record = await send({ kind: 'service', service: 'gateway' }, 'GET', url)
  expect(record.json()).toMatchObject({ key_id: key.id, state: 'active', version: 1 })
  const unknown = await send({ kind: 'service', service: 'gateway' }, 'GET', `/internal/keys/${'x'.repeat(12)}`)
  expect(unknown.statusCode).toBe(404)
  const garbage = await send({ kind: 'service', service: 'gateway' }, 'GET', '/internal/keys/%00')
  expect(garbage.json()).toMatchObject({ status: 400, errors: [{ field: '/kid' }] })
  for (const actor of [someUser({ role: 'admin' }), { kind: 'service', service: 'audit' } as const]) {
    expect((await send(actor, 'GET', url)).statusCode).toBe(404)
  }
})
