import type { Actor } from '@tapeline/contracts/actor'
import { AccessTokenClaims } from '@tapeline/contracts/identity/access-token'
import { AccountRecord, SignedIn, UserDetails } from '@tapeline/contracts/identity/http'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { Value } from 'typebox/value'
import { afterAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { testDeps, GOOD_PASSWORD, someSignUp } from '../test/deps.fixture.ts'
import { migrations } from './migrations/all.ts'
import { createSigningKeys } from './sessions/signing-keys.ts'
import type { Tables } from './tables.ts'

const SECRET = 'a secret of the test, long enough for anyone'
const BASE = '/api/v1/internal/user'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
await redisReady(redis, 30_000)
const deps = await testDeps(db, redis)
const signingKeys = createSigningKeys({ db, now: deps.now, secret: SECRET })
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {}, signingKeys })
afterAll(async () => {
  await app.close()
  redis.disconnect()
  await drop()
})

const anonymous: Actor = { kind: 'anonymous' }
const gateway: Actor = { kind: 'service', service: 'gateway' }

const send = (actor: Actor, method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, body?: unknown) =>
  callAs(app, 'identity', actor, { method, url, ...(body === undefined ? {} : { body }) })

async function signedUp(changes = {}) {
  const input = someSignUp(changes)
  const answer = await send(anonymous, 'PUT', `${BASE}/create`, input)
  expect(answer.statusCode).toBe(201)
  const body: { data: unknown } = answer.json()
  const data = Value.Parse(SignedIn, body.data)
  return { input, data, claims: claimsOf(data.jwtToken) }
}

function claimsOf(token: string): AccessTokenClaims {
  const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return Value.Parse(AccessTokenClaims, payload)
}

/** The response without the values that differ in every response. */
function withoutRequestId(body: string): unknown {
  const { request_id, ...rest }: Record<string, unknown> = JSON.parse(body)
  expect(request_id).toMatch(/^[0-9a-f]{32}$/)
  return rest
}

test.each([`${BASE}/create`, '/api/v1/user/create'])('PUT %s creates an account and signs it in', async (url) => {
  const input = someSignUp({ email: `Ada.${crypto.randomUUID()}@Example.com` })
  const answer = await send(anonymous, 'PUT', url, input)
  expect(answer.statusCode).toBe(201)
  expect(answer.headers['cache-control']).toBe('no-store')
  const body = answer.json()
  expect(body).toMatchObject({ success: true, message: 'Account created' })
  expect(Object.keys(body.data).toSorted()).toEqual(['deviceToken', 'expiresAt', 'jwtToken', 'refreshToken', 'user'])
  const { id, created_at, last_login_at, ...user } = body.data.user
  expect(user).toEqual({
    first_name: 'Grace',
    last_name: 'Hopper',
    email: input.email,
    mobile: '+1 555 0100',
    is_superuser: false,
    status: 'active',
    email_verified: false,
    subscription_tier: 'free',
    reminder_enabled: true,
    reminder_time: 9,
    reminder_method: 'email',
    profile_picture: null,
    role: 'user',
    featureFlags: [],
  })
  expect([created_at, last_login_at]).toEqual([deps.now().toISOString(), deps.now().toISOString()])
  expect(claimsOf(body.data.jwtToken).sub).toBe(id)
})

test('the public keys are available to anyone and contain nothing private', async () => {
  const answer = await app.inject({ method: 'GET', url: '/.well-known/jwks.json' })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['cache-control']).toBe('public, max-age=300')
  expect(answer.json().keys).toHaveLength(1)
  expect(Object.keys(answer.json().keys[0]).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
})

test('signing in returns the same as signing up, regardless of the case of the e-mail', async () => {
  const { input, data } = await signedUp()
  const answer = await send(anonymous, 'POST', `${BASE}/login`, {
    email: ` ${input.email.toUpperCase()}`,
    password: GOOD_PASSWORD,
    remember_me: true,
  })
  expect(answer.statusCode).toBe(200)
  const again = Value.Parse(SignedIn, answer.json().data)
  expect(again.user).toEqual(data.user)
  expect(claimsOf(again.jwtToken).sid).not.toBe(claimsOf(data.jwtToken).sid)
})

test('a failed sign-in does not reveal whether the e-mail is known', async () => {
  const { input } = await signedUp()
  const wrong = await send(anonymous, 'POST', `${BASE}/login`, { email: input.email, password: 'not the password' })
  const unknown = await send(anonymous, 'POST', `${BASE}/login`, {
    email: `unknown-${crypto.randomUUID()}@example.com`,
    password: GOOD_PASSWORD,
  })
  const nonsense = await send(anonymous, 'POST', `${BASE}/login`, { email: 'a\u0000\ud800', password: GOOD_PASSWORD })
  expect([wrong.statusCode, unknown.statusCode, nonsense.statusCode]).toEqual([401, 401, 401])
  expect(wrong.json()).toMatchObject({ code: 'login.failed', message: 'Incorrect username or password' })
  expect(withoutRequestId(unknown.body)).toEqual(withoutRequestId(wrong.body))
  expect(withoutRequestId(nonsense.body)).toEqual(withoutRequestId(wrong.body))
  const names = (headers: object) => Object.keys(headers).filter((name) => name !== 'date')
  expect(names(unknown.headers)).toEqual(names(wrong.headers))
})

test('signing up with a known e-mail reveals only that it failed', async () => {
  const { input } = await signedUp()
  const answer = await send(anonymous, 'PUT', `${BASE}/create`, someSignUp({ email: input.email.toUpperCase() }))
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'sign_up.failed', message: 'Signup failed', success: false })
  expect(answer.json()).not.toHaveProperty('errors')
  expect(answer.body).not.toContain(input.email)
})

test.each([
  ['/role', { role: 'admin' }],
  ['/is_superuser', { is_superuser: true }],
  ['/subscription_tier', { subscription_tier: 'pro' }],
  ['/status', { status: 'active' }],
  ['/email_verified', { email_verified: true }],
  ['/email', { email: 'not an address' }],
  ['/email', { email: 'graceſ@example.com' }],
  ['/first_name', { first_name: ' ' }],
  ['/first_name', { first_name: 'Grace\r\nBcc: all@example.com' }],
  ['/first_name', { first_name: 'Grace\u0085Bcc: all@example.com' }],
  ['/last_name', { last_name: 'x'.repeat(81) }],
  ['/mobile', { mobile: 5 }],
  ['/reminder_time', { reminder_time: 24 }],
  ['/password', { password: 'short12' }],
  ['/password', { password: 'Password123' }],
  ['/password', { password: 'x'.repeat(1_025) }],
])('a sign-up is rejected with the field %s: %j', async (field, changes) => {
  const answer = await send(anonymous, 'PUT', `${BASE}/create`, { ...someSignUp(), ...changes })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ success: false, errors: [{ field }] })
})

test('every character of a password of 1,000 characters counts', async () => {
  const password = 'p9'.repeat(500)
  const { input } = await signedUp({ password })
  const logIn = (candidate: string) =>
    send(anonymous, 'POST', `${BASE}/login`, { email: input.email, password: candidate })
  expect((await logIn(password)).statusCode).toBe(200)
  expect((await logIn(`${password.slice(0, -1)}8`)).statusCode).toBe(401)
  expect((await logIn('x'.repeat(1_025))).json()).toMatchObject({ status: 400, errors: [{ field: '/password' }] })
})

test('details contain only the user when config is unavailable', async () => {
  const { data, claims } = await signedUp()
  const actor = { ...someUser({ userId: data.user.id, tier: 'basic' }), sessionId: claims.sid }
  const answer = await send(actor, 'GET', `${BASE}/details`)
  expect(answer.statusCode).toBe(200)
  expect(Value.Parse(UserDetails, answer.json().data)).toEqual({
    user: { ...data.user, subscription_tier: 'basic' },
    role: 'user',
    featureFlags: [],
    flags: [],
    configs: {},
    globalConfigs: {},
    signInMethods: { password: true, google: false },
  })
})

test('an API key can call neither details nor sign-out', async () => {
  const withKey = someUser({ keyId: crypto.randomUUID() })
  expect((await send(withKey, 'GET', `${BASE}/details`)).statusCode).toBe(403)
  expect((await send(withKey, 'PATCH', `${BASE}/logout`)).statusCode).toBe(403)
})

test("sign-out ends the session: the gateways' record names it, with a higher version", async () => {
  const { data, claims } = await signedUp()
  const record = async () => {
    const answer = await send(gateway, 'GET', `/internal/accounts/${data.user.id}`)
    return Value.Parse(AccountRecord, answer.json())
  }
  const before = await record()
  expect(before).toMatchObject({
    account_id: data.user.id,
    version: 1,
    role: 'user',
    status: 'active',
    ended_session_ids: [],
  })
  const actor = { ...someUser({ userId: data.user.id }), sessionId: claims.sid }
  const answer = await send(actor, 'PATCH', `${BASE}/logout`)
  expect(answer.json()).toEqual({ success: true, message: 'Signed out', data: {} })
  expect(await record()).toEqual({ ...before, version: 2, ended_session_ids: [claims.sid] })
  const refreshed = await send(anonymous, 'POST', `${BASE}/refresh`, { refreshToken: data.refreshToken })
  expect(refreshed.json()).toMatchObject({ status: 401, code: 'refresh_token.invalid' })
})

test('refreshing returns a new pair for the same session', async () => {
  const { data, claims } = await signedUp()
  const answer = await send(anonymous, 'POST', `${BASE}/refresh`, { refreshToken: data.refreshToken })
  expect(answer.statusCode).toBe(200)
  const { jwtToken, refreshToken, expiresAt } = answer.json().data
  expect(refreshToken).not.toBe(data.refreshToken)
  expect(expiresAt).toBe(data.expiresAt)
  expect(claimsOf(jwtToken)).toEqual({ ...claims, jti: expect.any(String) })
  expect(claimsOf(jwtToken).jti).not.toBe(claims.jti)
})

test('an access token is rejected as a refresh token', async () => {
  const { data } = await signedUp()
  const answer = await send(anonymous, 'POST', `${BASE}/refresh`, { refreshToken: data.jwtToken.slice(0, 200) })
  expect(answer.json()).toMatchObject({ status: 401, code: 'refresh_token.invalid' })
})

test("only the gateway can read accounts' records", async () => {
  const url = `/internal/accounts/${crypto.randomUUID()}`
  expect((await send(someUser({ role: 'admin' }), 'GET', url)).json()).toMatchObject({
    code: 'request.route_not_found',
  })
  expect((await send({ kind: 'service', service: 'audit' }, 'GET', url)).statusCode).toBe(404)
  expect((await send(gateway, 'GET', url)).json()).toMatchObject({ status: 404, code: 'account.not_found' })
  expect((await send(gateway, 'GET', '/internal/accounts/1')).json()).toMatchObject({ status: 400 })
})
