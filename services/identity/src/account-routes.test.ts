import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { type Call, callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { testDeps, GOOD_PASSWORD, someSignUp } from '../test/deps.fixture.ts'
import { buildExport } from './exports/build-export.ts'
import { migrations } from './migrations/all.ts'
import { createSigningKeys } from './sessions/signing-keys.ts'
import type { Tables } from './tables.ts'
import { signUp } from './users/sign-up.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
await redisReady(redis, 30_000)
const deps = await testDeps(db, redis)
const signingKeys = createSigningKeys({ db, now: deps.now, secret: deps.secret })
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {}, signingKeys })
afterAll(async () => {
  await app.close()
  redis.disconnect()
  await drop()
})

const anonymous = { kind: 'anonymous' } as const
const url = (path: string) => `/api/v1/internal/user/${path}`

async function newPerson() {
  const { user, sessionId } = await signUp(deps, anonymous, someSignUp())
  const actor = { ...someUser({ userId: user.id }), sessionId }
  return {
    email: user.email,
    call: (method: Call['method'], path: string, body?: unknown) =>
      callAs(app, 'identity', actor, { method, url: url(path), ...(body === undefined ? {} : { body }) }),
  }
}

test('an account is deleted with its owner’s password in the body', async () => {
  const { call } = await newPerson()
  expect((await call('DELETE', 'account')).statusCode).toBe(400)
  const wrong = await call('DELETE', 'account', { currentPassword: 'not the password' })
  expect(wrong.json()).toMatchObject({ status: 403, code: 'password.wrong', errors: [{ field: '/currentPassword' }] })
  const closed = await call('DELETE', 'account', { currentPassword: GOOD_PASSWORD })
  expect(closed.json()).toMatchObject({ success: true, data: { due_at: expect.any(String) } })
})

test('an export request is accepted, and the file is not cached by browsers', async () => {
  const { call, email } = await newPerson()
  expect((await call('GET', 'export')).json()).toMatchObject({ status: 404, code: 'account_export.not_found' })
  const requested = await call('POST', 'export')
  expect(requested.statusCode).toBe(202)
  await buildExport(deps, requested.json().data.id)
  expect((await call('GET', 'export')).json()).toMatchObject({ data: { state: 'ready' } })
  const file = await call('GET', 'export/file')
  expect(file.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename="tapeline-account.json"',
  })
  expect(file.json()).toMatchObject({ profile: { email }, sessions: [{ device: expect.any(String) }] })
  expect((await call('POST', 'export')).headers['retry-after']).toBeDefined()
})

test.each([
  ['change-email', { newEmail: 'no address', currentPassword: 'x' }, '/newEmail'],
  ['verify-email', { token: 'short' }, '/token'],
  ['confirm-email-change', { token: 'A'.repeat(44) }, '/token'],
  ['export/open', { token: '!'.repeat(43) }, '/token'],
])('POST %s names the invalid field', async (path, body, field) => {
  const { call } = await newPerson()
  expect((await call('POST', path, body)).json()).toMatchObject({ status: 400, errors: [{ field }] })
})

const WRONG_TOKENS = ['', 'short', 'A'.repeat(43), 'A'.repeat(44), '!'.repeat(43), 'é\u0000', 'A'.repeat(5_000)]

test('a malformed reset token gets the message of an expired link', async () => {
  const { call } = await newPerson()
  const message = 'This password reset link is invalid or has expired. Please request a new one.'
  for (const token of WRONG_TOKENS) {
    const answer = await call('POST', 'reset-password', { token, newPassword: 'Another horse, battery 2' })
    expect(answer.json()).toMatchObject({ status: 400, code: 'reset_token.invalid', message })
    const state = await call('GET', `verify-reset-token?token=${encodeURIComponent(token)}`)
    expect(state.json()).toMatchObject({ data: { valid: false, email: null } })
  }
})

test('a request for a device link gets the same response for every address, and a wrong link is rejected', async () => {
  const { call, email } = await newPerson()
  const [registered, unknown] = [
    await call('POST', 'device-link', { email }),
    await call('POST', 'device-link', { email: `${crypto.randomUUID()}@example.com` }),
  ]
  expect([registered.statusCode, registered.json()]).toEqual([unknown.statusCode, unknown.json()])
  expect(registered.statusCode).toBe(200)
  for (const token of WRONG_TOKENS) {
    const answer = await call('POST', 'trust-device', { token })
    expect(answer.json()).toMatchObject({ status: 400, code: 'email_link.invalid' })
  }
})

test('a profile has no length limits: empty texts clear fields, an empty body changes nothing', async () => {
  const { call } = await newPerson()
  const cleared = await call('PATCH', 'update', { last_name: '', mobile: '' })
  expect(cleared.json()).toMatchObject({ success: true, data: { user: { last_name: '', mobile: '' } } })
  expect((await call('PATCH', 'update', {})).statusCode).toBe(200)
  const long = await call('PATCH', 'update', { first_name: 'A'.repeat(1_000) })
  expect(long.json()).toMatchObject({ data: { user: { first_name: 'A'.repeat(1_000) } } })
  for (const body of [{ mobile: 'a\nb' }, { first_name: '\u0000' }, { reminder_time: 24 }])
    expect((await call('PATCH', 'update', body)).statusCode).toBe(400)
})
