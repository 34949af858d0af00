import { type Actor, type UserActor } from '@tapeline/contracts/actor'
import type { Problem } from '@tapeline/contracts/problem'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { Type } from 'typebox'
import { afterAll, expect, test } from 'vitest'
import { createServer } from './create-server.ts'
import { fixedSettings } from './platform-settings.ts'

const options = {
  name: 'audit' as const,
  logger: silentLogger,
  internalKeys: testInternalKeys,
  checks: {},
  now: () => new Date(),
  bodyLimitBytes: 2_000,
}
const app = await createServer(options)
const Body = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    color: Type.Optional(Type.Union([Type.Literal('red'), Type.Literal('green')])),
  },
  { additionalProperties: false },
)
app.post('/things', { config: { access: { role: 'user' } }, schema: { body: Body } }, async () => ({ ok: true }))
app.delete('/parts/:id', { config: { access: { role: 'user' } } }, async ({ body }) => ({ body: body ?? null }))
app.get('/things/:id', { config: { access: { role: 'admin' } } }, async () => ({ ok: true }))
app.get('/prices', { config: { access: { role: 'user', key: true, scope: 'trades:read' } } }, async () => ({
  ok: true,
}))
app.get('/internal/thing', { config: { access: { services: ['gateway'] } } }, async () => ({ ok: true }))
app.get('/who', { config: { access: 'public' } }, async ({ actor }) => actor)
app.get('/broken', { config: { access: 'public' } }, async () => {
  throw new Error('the password is hunter2')
})
afterAll(() => app.close())

const anonymous: Actor = { kind: 'anonymous' }
const post = (actor: Actor, body: unknown) => callAs(app, 'audit', actor, { method: 'POST', url: '/things', body })

test('a route without an access declaration stops the server', async () => {
  const other = await createServer(options)
  expect(() => other.get('/secret', async () => 'x')).toThrow('has no access declaration')
})

test("without the gateway's token every route except the probes returns 401", async () => {
  expect((await app.inject({ method: 'POST', url: '/things', payload: {} })).statusCode).toBe(401)
  expect((await app.inject({ method: 'GET', url: '/broken' })).statusCode).toBe(401)
  expect((await app.inject({ method: 'GET', url: '/livez' })).statusCode).toBe(200)
})

test('parameters of any length reach their route, and no error is cacheable', async () => {
  const path = `/things/${'x'.repeat(8_000)}`
  const answer = await callAs(app, 'audit', someUser({ role: 'admin' }), { method: 'GET', url: path })
  expect(answer.statusCode).toBe(200)
  const refused = await callAs(app, 'audit', anonymous, { method: 'GET', url: path })
  expect([refused.statusCode, refused.headers['content-type']]).toEqual([401, 'application/problem+json'])
  expect(refused.headers['cache-control']).toBe('no-store')
})

test('an unauthenticated request is rejected before its body is validated', async () => {
  const answer = await post(anonymous, {})
  expect(answer.statusCode).toBe(401)
  expect(answer.json()).toMatchObject({ code: 'credential.missing', success: false })
})

test('a call without a body may name JSON as its type; where one is required, it is missing', async () => {
  const headers = { 'content-type': 'application/json' }
  const deleted = await callAs(app, 'audit', someUser(), { method: 'DELETE', url: '/parts/1', headers })
  expect([deleted.statusCode, deleted.json()]).toEqual([200, { body: null }])
  const posted = await callAs(app, 'audit', someUser(), { method: 'POST', url: '/things', headers })
  expect(posted.json()).toMatchObject({ code: 'request.invalid', message: 'The body must be a JSON object' })
  expect((await post(someUser(), JSON.parse('{"__proto__": {}}'))).json()).toMatchObject({ status: 400 })
})

test('a role that is too low is rejected', async () => {
  const answer = await callAs(app, 'audit', someUser({ role: 'tester' }), { method: 'GET', url: '/things/1' })
  expect(answer.statusCode).toBe(403)
})

test('an API key can call only the routes that accept keys, and only with the required scope', async () => {
  const withKey = (scopes: string[]): UserActor => someUser({ keyId: crypto.randomUUID(), scopes })
  expect((await post(withKey([]), { name: 'a' })).statusCode).toBe(403)
  const read = (scopes: string[]) => callAs(app, 'audit', withKey(scopes), { method: 'GET', url: '/prices' })
  expect((await read(['trades:read'])).statusCode).toBe(200)
  expect((await read(['l2events:read'])).json()).toMatchObject({ status: 403, code: 'api_key.scope_missing' })
})

test('a route between services is a 404 for users', async () => {
  const answer = await callAs(app, 'audit', someUser({ role: 'admin' }), { method: 'GET', url: '/internal/thing' })
  expect(answer.statusCode).toBe(404)
  const service: Actor = { kind: 'service', service: 'gateway' }
  expect((await callAs(app, 'audit', service, { method: 'GET', url: '/internal/thing' })).statusCode).toBe(200)
})

test.each([
  [{}, '/name', 'name is required', { rule: 'required' }],
  [{ name: '' }, '/name', 'name must not be empty', { rule: 'minLength', limit: 1 }],
  [{ name: 5 }, '/name', 'name must be a string', { rule: 'type', limit: 'string' }],
  [{ name: 'a', role: 'admin' }, '/role', 'role is not a known field', { rule: 'additionalProperties' }],
  [{ name: 'a', color: 'blue' }, '/color', 'color must be one of red, green', { rule: 'enum', limit: 'red, green' }],
])('the body %j is rejected with the field', async (body, field, message, rule) => {
  const answer = await post(someUser(), body)
  expect(answer.statusCode).toBe(400)
  expect(answer.headers['content-type']).toContain('application/problem+json')
  expect(answer.json()).toMatchObject({
    code: 'request.invalid',
    success: false,
    message,
    errors: [{ field, message, ...rule }],
  })
})

test('one response names every invalid field once', async () => {
  const answer = await post(someUser(), { name: '', role: 'admin', color: 'blue' })
  const { errors }: { errors: { field: string; rule: string }[] } = answer.json()
  expect(errors.map(({ field, rule }) => `${field} ${rule}`).toSorted()).toEqual([
    '/color enum',
    '/name minLength',
    '/role additionalProperties',
  ])
})

test('a response about more than 50 invalid fields names 50 of them', async () => {
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`f${n}`, n]))
  const { errors }: { errors: unknown[] } = (await post(someUser(), { name: 'a', ...many })).json()
  expect(errors).toHaveLength(50)
})

test.each(['{"__proto__":{"admin":true},"name":"a"}', '{"name":', 'null'])(
  'the raw body %s is rejected',
  async (payload) => {
    const good = await post(someUser(), { name: 'a' })
    expect(good.statusCode).toBe(200)
    const token = String(good.raw.req.headers['x-actor'])
    const headers = { 'x-actor': token, 'content-type': 'application/json' }
    expect((await app.inject({ method: 'POST', url: '/things', headers, payload })).statusCode).toBe(400)
  },
)

test('text/plain, oversized bodies, unknown paths and wrong methods each have their own problem', async () => {
  const token = String((await post(someUser(), { name: 'a' })).raw.req.headers['x-actor'])
  const send = (method: 'POST' | 'PUT' | 'GET', url: string, type: string, payload: string) =>
    app.inject({ method, url, headers: { 'x-actor': token, 'content-type': type }, payload })
  const plain = await send('POST', '/things', 'text/plain', '{"name":"a"}')
  expect(plain.json()).toMatchObject({ status: 415, code: 'request.media_type_unsupported' })
  const large = await send('POST', '/things', 'application/json', JSON.stringify({ name: 'a'.repeat(3_000) }))
  expect(large.json()).toMatchObject({ status: 413, code: 'request.too_large' })
  const unknown = await app.inject({ method: 'GET', url: '/nothing', headers: { 'x-actor': token } })
  expect(unknown.json()).toMatchObject({ status: 404, code: 'request.route_not_found', instance: '/nothing' })
  const wrong = await app.inject({ method: 'DELETE', url: '/things/1', headers: { 'x-actor': token } })
  expect(wrong.statusCode).toBe(405)
  expect(wrong.headers.allow).toBe('GET, HEAD')
})

test('an internal error reveals no details', async () => {
  const answer = await callAs(app, 'audit', anonymous, { method: 'GET', url: '/broken' })
  expect(answer.json()).toMatchObject({
    status: 500,
    code: 'service.failed',
    message: 'An internal error occurred.',
  })
  expect(answer.body).not.toContain('hunter2')
  expect(answer.headers['x-error-code']).toBe('service.failed')
})

test('readiness names the failing dependencies, and fails when the process stops', async () => {
  let isStopping = false
  const checks = { database: async () => Promise.reject(new Error('refused')) }
  const broken = await createServer({ ...options, checks })
  const answer = await broken.inject({ method: 'GET', url: '/readyz' })
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toMatchObject({ checks: { database: 'refused' } })
  const stopping = await createServer({ ...options, isStopping: () => isStopping })
  expect((await stopping.inject({ method: 'GET', url: '/readyz' })).statusCode).toBe(200)
  isStopping = true
  expect((await stopping.inject({ method: 'GET', url: '/readyz' })).statusCode).toBe(503)
})

test("the actor includes the call's origin, which only the gateway can set", async () => {
  const headers = { 'x-client-network': '203.0.113.0/24', 'user-agent': 'curl/8.5' }
  const reply = await callAs(app, 'audit', anonymous, { method: 'GET', url: '/who', headers })
  expect(reply.json()).toEqual({ kind: 'anonymous', network: '203.0.113.0/24', userAgent: 'curl/8.5' })
  const service: Actor = { kind: 'service', service: 'config' }
  const other = await callAs(app, 'audit', service, { method: 'GET', url: '/who', headers })
  expect(other.json()).toEqual(service)
})

test('a route of a feature returns 403 in tiers without it; calls with an API key need apiAccess', async () => {
  const server = await createServer({ ...options, settings: fixedSettings() })
  const keyed = { role: 'user', key: true } as const
  server.get('/list', { config: { access: keyed } }, async () => ({}))
  server.get('/live', { config: { access: { ...keyed, feature: 'realTimeData' } } }, async () => ({}))
  const statuses = async (actor: Actor) => {
    const replies = [await callAs(server, 'audit', actor, { method: 'GET', url: '/list' })]
    replies.push(await callAs(server, 'audit', actor, { method: 'GET', url: '/live' }))
    return replies.map((reply) => (reply.statusCode === 200 ? 200 : reply.json<Problem>().code))
  }
  const missing = 'tier.feature_not_included'
  expect(await statuses(someUser({ features: [] }))).toEqual([200, missing])
  expect(await statuses(someUser({ features: ['realTimeData'], keyId: 'k' }))).toEqual([missing, 200])
  expect(await statuses(someUser({ features: ['apiAccess'], keyId: 'k' }))).toEqual([200, missing])
  expect(server.accessList()).toContain('GET /live  user or API key in tiers with realTimeData')
  await server.close()
})

test("a route behind a feature flag returns 403 with the flag's name while it is off, after authentication", async () => {
  const flag = { key: 'api_key_audit', role: 'tester' as const, enabled: true, is_public: false, description: null }
  const always = { metadata: {}, rollout_percent: 100, enabled_from: null, enabled_until: null }
  const settings = fixedSettings({ version: 7, flags: [{ ...flag, ...always }], configs: {} })
  const flagged = await createServer({ ...options, settings })
  flagged.get('/audit', { config: { access: { role: 'user', flag: 'api_key_audit' } } }, async () => ({ ok: true }))
  const callWith = (actor: Actor) => callAs(flagged, 'audit', actor, { method: 'GET', url: '/audit' })
  expect((await callWith(anonymous)).statusCode).toBe(401)
  expect((await callWith(someUser({ role: 'tester' }))).statusCode).toBe(200)
  const refused = await callWith(someUser())
  expect(refused.statusCode).toBe(403)
  expect(refused.json()).toMatchObject({ code: 'feature.disabled', errors: [{ field: 'api_key_audit' }] })
  expect(flagged.accessList()).toContain('GET /audit  user while api_key_audit is on')
  expect((await flagged.inject({ method: 'GET', url: '/readyz' })).json()).toMatchObject({
    status: 'ok',
    settings: { version: 7 },
  })
  expect((await flagged.inject({ method: 'GET', url: '/metrics' })).payload).toContain('platform_settings_version 7')
  await flagged.close()
})

test('a route behind a feature flag stops a server without settings', async () => {
  const other = await createServer(options)
  const config = { access: { role: 'user' as const, flag: 'api_key_audit' as const } }
  expect(() => other.get('/audit', { config }, async () => 'x')).toThrow('requires a feature flag')
})
