import type { Actor } from '@tapeline/contracts/actor'
import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import { type FoundKeys, KIDS_PER_LOOKUP_MAX } from '@tapeline/contracts/api-key/key-record'
import { someUser } from '@tapeline/testing/actors'
import { type Call, callAs } from '@tapeline/testing/call-as'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../test/app.fixture.ts'

const KEYS = '/api/v1/internal/api-keys'
const { app, close } = await openTestApp()
afterAll(close)

const send = (actor: Actor, method: Call['method'], url: string, body?: unknown) =>
  callAs(app, 'api-key', actor, { method, url, body })
const create = (actor: Actor, idempotencyKey: string, body: unknown) =>
  callAs(app, 'api-key', actor, { method: 'POST', url: KEYS, body, headers: { 'idempotency-key': idempotencyKey } })

async function someKey(actor: Actor): Promise<CreatedKey> {
  const { data }: { data: CreatedKey } = (await send(actor, 'POST', KEYS, { name: 'ci' })).json()
  return data
}

function keyPaths(id: string): [Call['method'], string, unknown?][] {
  return [
    ['GET', `${KEYS}/${id}`],
    ['PUT', `${KEYS}/${id}`, { name: 'other' }],
    ['PATCH', `${KEYS}/${id}/revoke`],
    ['PATCH', `${KEYS}/${id}/end-grace`],
    ['POST', `${KEYS}/${id}/regenerate`],
    ['DELETE', `${KEYS}/${id}/delete`],
    ['PUT', `${KEYS}/${id}/shadow`, { rate_limits: { requestsPerMinute: 5 } }],
    ['DELETE', `${KEYS}/${id}/shadow`],
    ['POST', `${KEYS}/${id}/shadow/apply`, { proposal: crypto.randomUUID() }],
  ]
}

test('a key can be created, changed, revoked and deleted', async () => {
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

test('only the responses to creation and regeneration contain a secret', async () => {
  const actor = someUser()
  const { apiKey, key } = await someKey(actor)
  const secret = apiKey.split('_')[3] ?? ''
  for (const [method, url, body] of [['GET', KEYS] as const, ...keyPaths(key.id)]) {
    expect((await send(actor, method, url, body)).payload).not.toContain(secret)
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
  ['/expires', { name: 'ci', expires: '2100-01-01' }],
  ['/scopes/0', { name: 'ci', scopes: ['everything'] }],
  ['/scopes', { name: 'ci', scopes: [] }],
  ['/networks/1', { name: 'ci', networks: ['10.0.0.0/8', '10.0.0.0/33'] }],
  ['/networks', { name: 'ci', networks: Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`) }],
  ['/rate_limits/requestsPerDay', { name: 'ci', rate_limits: { requestsPerDay: 0 } }],
  ['/rate_limits/burstLimit', { name: 'ci', rate_limits: { burstLimit: 1.5 } }],
  ['/rate_limits/perDay', { name: 'ci', rate_limits: { perDay: 5 } }],
  ['/environment', { name: 'ci', environment: 'prod' }],
])('invalid input is rejected with the field %s', async (field, body) => {
  const actor = someUser()
  const failed = await send(actor, 'POST', KEYS, body)
  expect(failed.statusCode).toBe(400)
  expect(failed.headers['content-type']).toContain('application/problem+json')
  const { errors }: { errors: { field: string }[] } = failed.json()
  expect(errors[0]?.field).toBe(field)
  expect((await send(actor, 'GET', KEYS)).json()).toMatchObject({ data: { apiKeys: [] } })
})

test.each([...keyPaths('not-a-uuid'), ...keyPaths('urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057')])(
  '%s %s names the parameter that is not a key id',
  async (method, url, body) => {
    const failed = await send(someUser(), method, url, body)
    expect(failed.statusCode).toBe(400)
    expect(failed.json()).toMatchObject({ errors: [{ field: '/id' }] })
  },
)

test("another user's key is answered like a key that does not exist, on every path", async () => {
  const { key } = await someKey(someUser())
  const otherUser = someUser({ role: 'admin' })
  const missing = crypto.randomUUID()
  for (const [n, [method, url, body]] of keyPaths(key.id).entries()) {
    const foreign = await send(otherUser, method, url, body)
    const absent = await send(otherUser, method, keyPaths(missing)[n]?.[1] ?? '', body)
    expect(foreign.statusCode).toBe(404)
    expect(withoutIds(foreign.payload, key.id)).toBe(withoutIds(absent.payload, missing))
  }
})

/** The response without the values that differ between any two responses. */
function withoutIds(payload: string, keyId: string): string {
  return payload.replace(/"request_id":"[0-9a-f]{32}"/, '').replaceAll(keyId, '')
}

test('keys can be managed only in a session: not with a key, as a visitor, or bypassing the gateway', async () => {
  const owner = someUser()
  const { key } = await someKey(owner)
  for (const [method, url] of [['POST', KEYS] as const, ['GET', KEYS] as const, ...keyPaths(key.id)]) {
    const byKey = await send(someUser({ userId: owner.userId, keyId: key.id }), method, url)
    expect([byKey.statusCode, byKey.headers['x-error-code']]).toEqual([403, 'request.forbidden'])
    expect((await send({ kind: 'anonymous' }, method, url)).statusCode).toBe(401)
    expect((await app.inject({ method, url })).statusCode).toBe(401)
  }
})

test('an update changes only the fields that are sent and returns the key', async () => {
  const actor = someUser()
  const { key } = await someKey(actor)
  const change = {
    name: 'nightly',
    is_active: false,
    expires_at: '2100-01-01',
    scopes: ['l2events:read'],
    networks: ['203.0.113.9', '2001:DB8::/32'],
    rate_limits: { requestsPerMinute: 5 },
  }
  const saved = await send(actor, 'PUT', `${KEYS}/${key.id}`, change)
  const expected = {
    ...key,
    ...change,
    status: 'inactive',
    expires_at: '2100-01-01T23:59:59.999Z',
    networks: ['203.0.113.9/32', '2001:db8::/32'],
  }
  expect(saved.json()).toEqual({ success: true, message: 'API key saved', data: { key: expected } })
  expect((await send(actor, 'GET', `${KEYS}/${key.id}`)).json()).toMatchObject({ data: { key: expected } })
})

test.each([
  ['/is_active', { is_active: 'yes' }],
  ['/name', { name: ' ' }],
  ['/networks/3', { networks: ['::/0', '10.0.0.0/8', '192.0.2.1', '192.0.2.1/33'] }],
  ['/rate_limits/concurrentRequests', { rate_limits: { concurrentRequests: 0 } }],
  ['/environment', { environment: 'test' }],
  ['/id', { id: crypto.randomUUID() }],
  ['/', null],
])('an invalid update is rejected with the field %s and changes nothing', async (field, body) => {
  const actor = someUser()
  const { key } = await someKey(actor)
  const failed = await send(actor, 'PUT', `${KEYS}/${key.id}`, body)
  expect(failed.json()).toMatchObject({ status: 400, errors: [{ field }] })
  expect((await send(actor, 'GET', `${KEYS}/${key.id}`)).json()).toMatchObject({ data: { key } })
})

test('only the offered grace periods are accepted; the old secret is then shown beside the new one', async () => {
  const actor = someUser()
  const { key } = await someKey(actor)
  const failed = await send(actor, 'POST', `${KEYS}/${key.id}/regenerate`, { grace_seconds: 61 })
  expect(failed.json()).toMatchObject({ status: 400, errors: [{ field: '/grace_seconds' }] })
  const regenerated = await send(actor, 'POST', `${KEYS}/${key.id}/regenerate`, { grace_seconds: 60 })
  expect(regenerated.json()).toMatchObject({ data: { key: { grace: { prefix: key.prefix, last_used_at: null } } } })
})

test('a repeated creation returns the same key without its secret', async () => {
  const actor = someUser()
  const first = await create(actor, '"8e03978e-40d5"', { name: 'ci' })
  const { data }: { data: CreatedKey } = first.json()
  const again = await create(actor, '8e03978e-40d5', { name: 'ci' })
  expect([first.statusCode, first.headers['idempotent-replayed']]).toEqual([201, undefined])
  expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
  expect(again.json()).toMatchObject({ success: true, data: { name: 'ci', key: data.key } })
  expect(again.payload).not.toContain(data.apiKey.split('_')[3])
  const other = await create(actor, '8e03978e-40d5', { name: 'another' })
  expect([other.statusCode, other.headers['x-error-code']]).toEqual([422, 'idempotency_key.reused'])
  expect((await send(actor, 'GET', KEYS)).json()).toMatchObject({ data: { apiKeys: [data.key] } })
})

test.each(['x'.repeat(258), 'a b', 'ä'])('an Idempotency-Key like %s is rejected', async (idempotencyKey) => {
  const failed = await create(someUser(), idempotencyKey, { name: 'ci' })
  expect(failed.json()).toMatchObject({ status: 400, errors: [{ field: '/idempotency-key' }] })
})

test('only the gateway can read the record of a kid', async () => {
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

test('the gateway reads many records with one request, and unknown kids are omitted', async () => {
  const keys = [await someKey(someUser()), await someKey(someUser())]
  const kids = keys.map(({ apiKey }) => apiKey.split('_')[2] ?? '')
  const gateway = { kind: 'service', service: 'gateway' } as const
  const find = (actor: Actor, kids: string[]) => send(actor, 'POST', '/internal/keys/find', { kids })
  const found: FoundKeys = (await find(gateway, [...kids, 'x'.repeat(12)])).json()
  expect(found.records.map(({ kid }) => kid).toSorted()).toEqual(kids.toSorted())
  for (const record of found.records) {
    expect(record).toEqual((await send(gateway, 'GET', `/internal/keys/${record.kid}`)).json())
  }
  expect((await find(gateway, ['x'.repeat(12)])).json()).toEqual({ records: [] })
  expect((await find(gateway, Array(KIDS_PER_LOOKUP_MAX + 1).fill(kids[0]))).statusCode).toBe(400)
  expect((await find(gateway, ['%'])).statusCode).toBe(400)
  for (const actor of [someUser({ role: 'admin' }), { kind: 'service', service: 'audit' } as const]) {
    expect((await find(actor, kids)).statusCode).toBe(404)
  }
})
