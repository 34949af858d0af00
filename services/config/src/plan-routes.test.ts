import type { Actor } from '@tapeline/contracts/actor'
import { DEFAULT_SETTINGS } from '@tapeline/contracts/config/settings'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { seedTiers } from './tiers/write-tiers.ts'

const SETTINGS = '/api/v1/internal/user/settings'
const SUBSCRIPTION = '/api/v1/internal/subscription'
const TIERS = '/api/v1/admin/tiers'
const { db, drop } = await openTestDatabase<Tables>(migrations)
const deps = {
  db,
  now: () => new Date(),
  newId: () => randomUUIDv7(),
  raiseVersion: async () => true,
  findEmailState: async () => ({ email_verified: true }),
  countAccounts: async () => ({ accounts: 0, of: 0 }),
  settings: fixedSettings(),
}
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
beforeAll(async () => void (await seedTiers(deps, { kind: 'service', service: 'config' }, tierDocuments)))
afterAll(async () => {
  await app.close()
  await drop()
})

const admin = someUser({ role: 'admin' })
type Method = 'GET' | 'PUT' | 'POST'
async function call(actor: Actor, method: Method, url: string, body?: unknown) {
  const answer = await callAs(app, 'config', actor, { method, url, ...(body === undefined ? {} : { body }) })
  return { status: answer.statusCode, ...answer.json() }
}

test("settings are saved in the specified form and are part of the user's details", async () => {
  const actor = someUser()
  expect(await call(actor, 'GET', SETTINGS)).toMatchObject({ data: { user_settings: DEFAULT_SETTINGS, version: 0 } })
  const user_settings = JSON.stringify({ ...DEFAULT_SETTINGS, theme: 'light', timezone: 'Europe/London' })
  const saved = await call(actor, 'PUT', SETTINGS, { user_settings })
  expect(saved).toMatchObject({ status: 200, success: true, message: 'Settings saved successfully!' })
  const identity: Actor = { kind: 'service', service: 'identity' }
  const profile = await call(identity, 'GET', `/internal/accounts/${actor.userId}/profile?role=user`)
  expect(profile).toMatchObject({
    time_zone: 'Europe/London',
    configs: { user_settings: { theme: 'light' }, user_settings_version: 1 },
  })
  const stale = await call(actor, 'PUT', SETTINGS, { user_settings: { theme: 'dark' }, version: 0 })
  expect(stale).toMatchObject({
    status: 409,
    code: 'settings.changed_meanwhile',
    errors: [{ field: '/user_settings/theme' }, { field: '/user_settings/timezone' }],
  })
})

test.each([
  [{}, '/user_settings'],
  [{ user_settings: 7 }, '/user_settings'],
  [{ user_settings: { theme: 'pink' } }, '/user_settings/theme'],
  [{ user_settings: {}, tier: 'pro' }, '/tier'],
])('%j is rejected with its place', async (body, field) => {
  const answer = await call(someUser(), 'PUT', SETTINGS, body)
  expect([answer.status, answer.errors[0].field]).toEqual([400, field])
})

test('an account can start and cancel a trial', async () => {
  const actor = someUser()
  const started = await call(actor, 'POST', `${SUBSCRIPTION}/trial`, { tier: 'basic' })
  expect(started).toMatchObject({ status: 201, data: { tier: 'basic', trial: { days_left: 14, tier_after: 'free' } } })
  expect(await call(actor, 'GET', SUBSCRIPTION)).toMatchObject({ data: { tier: 'basic', name: 'Basic' } })
  const cancel = (body?: unknown) => call(actor, 'POST', `${SUBSCRIPTION}/cancel`, body)
  for (const body of [undefined, {}, { what: 'all' }]) expect((await cancel(body)).status).toBe(400)
  const { version } = started.data
  expect(await cancel({ what: 'plan' })).toMatchObject({ status: 409, errors: [{ field: '/what' }] })
  expect(await cancel({ what: 'trial', version })).toMatchObject({ status: 200, data: { tier: 'free' } })
  expect(await call(actor, 'POST', `${SUBSCRIPTION}/trial`, { tier: 'basic' })).toMatchObject({ status: 409 })
  expect(await call(actor, 'POST', `${SUBSCRIPTION}/trial`, { tier: 'free' })).toMatchObject({ status: 400 })
})

test("an admin can set an account's tier and custom limits", async () => {
  const { userId } = someUser()
  const url = `/api/v1/admin/subscriptions/${userId}`
  const rateLimits = { ...tierDocuments.pro.rateLimits, requestsPerMinute: 7 }
  expect(await call(admin, 'GET', url)).toMatchObject({ data: { tier: 'free', version: 1 } })
  const assigned = await call(admin, 'PUT', url, { tier: 'pro', rateLimits, version: 1, reason: 'a contract' })
  expect(assigned).toMatchObject({ status: 200, data: { tier: 'pro', rate_limits: rateLimits, version: 2 } })
  expect(await call(admin, 'PUT', url, { rateLimits: null })).toMatchObject({
    data: { tier: 'pro', rate_limits: null },
  })
  const wrong = await call(admin, 'PUT', url, { rateLimits: { ...rateLimits, requestsPerMinute: 0 } })
  expect(wrong).toMatchObject({ status: 400, errors: [{ field: '/rateLimits/requestsPerMinute' }] })
})

test('an admin can read, write and revert the tier documents', async () => {
  const { data } = await call(admin, 'GET', TIERS)
  const document = { ...tierDocuments.pro, support: { ...tierDocuments.pro.support, responseTime: '2 hours' } }
  const written = await call(admin, 'PUT', `${TIERS}/pro`, { document, version: data.version })
  expect(written).toMatchObject({ status: 200, data: { version: data.version + 1, tiers: { pro: document } } })
  expect(await call({ kind: 'anonymous' }, 'GET', `${SUBSCRIPTION}/pricing`)).toMatchObject({ data: { pro: document } })
  const stale = await call(admin, 'PUT', TIERS, { tiers: tierDocuments, version: data.version })
  expect(stale).toMatchObject({ status: 409, errors: [{ field: '/pro/support/responseTime' }] })
  const invalid = await call(admin, 'PUT', TIERS, { tiers: {}, version: data.version + 1 })
  expect(invalid).toMatchObject({
    status: 400,
    code: 'tier.invalid',
    errors: expect.arrayContaining([{ field: '/tiers/free', message: 'free is required' }]),
  })
  expect(await call(admin, 'PUT', TIERS, { version: data.version + 1 })).toMatchObject({ status: 400 })
  const undone = await call(admin, 'POST', `${TIERS}/undo`, { version: data.version + 1 })
  expect(undone).toMatchObject({ status: 200, data: { tiers: tierDocuments } })
  const { data: history } = await call(admin, 'GET', `${TIERS}/history`)
  expect(history.editions.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1])
})

test('an admin sees the number of accounts per tier, and of those with custom limits', async () => {
  const counts = async () => (await call(admin, 'GET', TIERS)).data.accounts
  const before = await counts()
  for (const rateLimits of [null, tierDocuments.pro.rateLimits]) {
    const owner = someUser()
    await call(owner, 'GET', SUBSCRIPTION)
    await call(admin, 'PUT', `/api/v1/admin/subscriptions/${owner.userId}`, { tier: 'pro', rateLimits })
  }
  expect(await counts()).toEqual({
    ...before,
    pro: { accounts: before.pro.accounts + 2, with_own_limits: before.pro.with_own_limits + 1 },
  })
})

test.each(['history', 'undo'])('%s is not read as the name of a tier: PUT returns 405', async (path) => {
  const wrong = await call(admin, 'PUT', `${TIERS}/${path}`, {})
  expect(wrong).toMatchObject({ status: 405, code: 'request.method_not_allowed' })
  expect(await call(admin, 'PUT', `${TIERS}/gold`, {})).toMatchObject({ status: 400 })
  expect((await call(someUser(), 'PUT', `${TIERS}/${path}`, {})).status).toBe(403)
})

test("tiers and other accounts' subscriptions are for admins only, settings and plans for their account", async () => {
  const url = `/api/v1/admin/subscriptions/${crypto.randomUUID()}`
  for (const [method, path] of [
    ['GET', TIERS],
    ['PUT', TIERS],
    ['PUT', `${TIERS}/pro`],
    ['GET', `${TIERS}/history`],
    ['POST', `${TIERS}/undo`],
    ['GET', url],
    ['PUT', url],
  ] as const) {
    for (const role of ['user', 'tester'] as const) {
      expect(await call(someUser({ role }), method, path, method === 'GET' ? undefined : {})).toMatchObject({
        status: 403,
      })
    }
    expect((await call({ kind: 'anonymous' }, method, path)).status).toBe(401)
  }
  for (const path of [SETTINGS, SUBSCRIPTION]) {
    expect((await call({ kind: 'anonymous' }, 'GET', path)).status).toBe(401)
    expect((await call(someUser({ keyId: crypto.randomUUID() }), 'GET', path)).status).toBe(403)
  }
})

test.each([
  ['GET', '/api/v1/admin/subscriptions/urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057', undefined, '/account'],
  ['GET', '/api/v1/admin/feature-flags/urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057/history', undefined, '/id'],
  ['GET', `${TIERS}?at=2026-12-31T23:59:60Z`, undefined, '/at'],
  ['POST', '/api/v1/admin/feature-flags', { flag_key: 'leap', enabled_from: '2026-12-31T23:59:60Z' }, '/enabled_from'],
  ['GET', '/api/v1/admin/global-configs/api_settings.page_sizes/diff?from=99999999999&to=1', undefined, '/from'],
] as const)('%s %s with an id, time or version that cannot be read is 400', async (method, url, body, field) => {
  expect(await call(admin, method, url, body)).toMatchObject({ status: 400, errors: [{ field }] })
})
