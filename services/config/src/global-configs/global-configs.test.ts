import type { Actor } from '@tapeline/contracts/actor'
import { PLATFORM_CONFIGS, VALUE_BYTES_MAX } from '@tapeline/contracts/config/global-configs'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { readPlatformSnapshot } from '../read-platform-snapshot.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { seedTiers } from '../tiers/write-tiers.ts'

const { call, deps, events, close } = await openTestApp()
afterAll(close)

const CONFIGS = '/api/v1/admin/global-configs'
const [user, tester, admin, otherAdmin] = [
  someUser(),
  someUser({ role: 'tester' }),
  someUser({ role: 'admin' }),
  someUser({ role: 'admin' }),
]
const put = (updates: object[], more: object = {}, actor: Actor = admin) =>
  call(actor, 'PUT', CONFIGS, { updates, ...more })
const all = async () => (await call(admin, 'GET', CONFIGS)).body.data
let created = 0
const someKey = () => `brand.item_${(created += 1)}`

test('configurations of the platform have their defaults until a value is stored', async () => {
  const configs = await all()
  for (const [key, config] of Object.entries(PLATFORM_CONFIGS)) {
    expect(configs[key], key).toMatchObject({
      id: null,
      version: 0,
      value: config.default,
      is_known: true,
      updated_at: null,
    })
  }
  const { updated, failed } = (
    await put([{ id: null, key: 'system_config.sessions', value: { idle_hours: 1, remembered_days: 2 } }])
  ).body.data
  expect(failed).toEqual([])
  expect(updated).toMatchObject([
    { key: 'system_config.sessions', version: 1, updated_by: admin.userId, is_public: false },
  ])
  expect((await all())['system_config.sessions']).toMatchObject({
    id: updated[0].id,
    value: { idle_hours: 1, remembered_days: 2 },
  })
})

test('each update is stored or rejected individually, with the place of the error', async () => {
  const [key, other] = [someKey(), someKey()]
  const { status, body } = await put([
    { key, value: ['any', { json: null }] },
    { key: 'system_config.sign_up', value: { open: 'yes' } },
    { key: 'system_config.maintenance', value: { enabled: true, message: '', level: 'panic', until: null, colour: 1 } },
    { key: 'api_settings.page_sizes', value: { default: 50, max: 20 } },
    { key: other, value: 'x'.repeat(VALUE_BYTES_MAX) },
  ])
  expect(status).toBe(200)
  expect(body.data.updated).toMatchObject([{ key, value: ['any', { json: null }] }])
  expect(body.data.failed).toMatchObject([
    { key: 'system_config.sign_up', code: 'global_config.invalid', errors: [{ field: '/open' }] },
    { key: 'system_config.maintenance', code: 'global_config.invalid' },
    { key: 'api_settings.page_sizes', errors: [{ field: '/default' }] },
    { key: other, code: 'global_config.too_large' },
  ])
  const fields = body.data.failed[1].errors.map(({ field }: { field: string }) => field)
  expect(fields.toSorted()).toEqual(['/colour', '/level'])
  for (const { error } of body.data.failed) expect(error).toMatch(/\w/)
  const configs = await all()
  expect(configs['system_config.sign_up']).toMatchObject({ id: null, value: { open: true } })
  expect(configs[other]).toBeUndefined()
  const refused = await events('config.change-refused.v1')
  expect(refused.map(({ subject, actorid }) => [subject, actorid])).toEqual([
    ['system_config.sign_up', admin.userId],
    ['system_config.maintenance', admin.userId],
    ['api_settings.page_sizes', admin.userId],
    [other, admin.userId],
  ])
})

test('a default page size may equal the maximum', async () => {
  const key = 'api_settings.page_sizes'
  const { updated, failed } = (await put([{ key, value: { default: 20, max: 20 } }])).body.data
  expect([updated.length, failed]).toEqual([1, []])
  await put([{ key, value: PLATFORM_CONFIGS[key].default }])
})

test('of two admins who edit the same configuration the second gets a conflict with the changes and overwrites nothing', async () => {
  const key = someKey()
  const first = (await put([{ id: null, key, value: { color: 'green', size: 1 } }])).body.data.updated[0]
  await put([{ id: first.id, key, value: { color: 'blue', size: 1 }, version: 1 }], {}, otherAdmin)
  const late = await put([{ id: first.id, key, value: { color: 'red', size: 2 }, version: 1 }])
  expect(late.body).toMatchObject({ status: 409, code: 'global_config.changed_meanwhile', success: false })
  expect(late.body.errors).toMatchObject([
    { field: '/updates/0/version', message: expect.stringContaining('version is 2, not 1; /color is now "blue"') },
    { field: '/updates/0/value/color' },
  ])
  const alongside = (
    await put([
      { key, value: 1, version: 1 },
      { key: someKey(), value: 2 },
    ])
  ).body.data
  expect(alongside.failed).toMatchObject([
    { key, current: { version: 2 }, changed: [{ path: '/color', before: 'green', after: 'blue' }] },
  ])
  // Both read a default: the second one's update has id null.
  const default_ = { id: null, key: 'system_config.retention', value: { usage_row_days: 30, simulated_record_days: 3 } }
  expect((await put([default_])).status).toBe(200)
  expect(
    (await put([{ ...default_, value: { usage_row_days: 60, simulated_record_days: 3 } }], {}, otherAdmin)).status,
  ).toBe(409)
  expect((await all())[key].value).toEqual({ color: 'blue', size: 1 })
  const race = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      put([{ id: first.id, key, value: n, version: 2 }], {}, n % 2 ? admin : otherAdmin),
    ),
  )
  expect(race.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
})

test('updates that fail for other reasons than a conflict are reported beside it', async () => {
  const key = someKey()
  for (const value of [1, 2]) await put([{ key, value }])
  const invalid = { key: 'system_config.sign_up', value: { open: 'yes' } }
  const { status, body } = await put([{ key, value: 3, version: 1 }, invalid])
  expect([status, body.data.updated]).toEqual([200, []])
  expect(body.data.failed).toMatchObject([
    { key, code: 'global_config.changed_meanwhile', current: { value: 2, version: 2 } },
    { key: invalid.key, code: 'global_config.invalid', errors: [{ field: '/open' }] },
  ])
})

test('history, difference and undo back to the default', async () => {
  const key = 'system_config.sign_up'
  const at = `${CONFIGS}/${key}`
  expect((await call(admin, 'GET', `${at}/history`)).body.data).toEqual({ changes: [] })
  expect((await call(admin, 'POST', `${at}/undo`)).body).toMatchObject({ code: 'global_config.nothing_to_undo' })
  await put([{ id: null, key, value: { open: false } }], { reason: 'full' })
  await put([{ key, value: { open: false }, is_public: false }])
  expect((await call(admin, 'GET', `${at}/diff?from=0&to=1`)).body.data.changes).toEqual([
    { path: '/open', before: true, after: false },
  ])
  expect((await call(admin, 'GET', `${at}/diff?from=0&to=9`)).status).toBe(404)
  expect((await call(admin, 'POST', `${at}/undo`, { version: 1 })).body).toMatchObject({ status: 409 })
  expect((await call(admin, 'POST', `${at}/undo`, { version: 2 })).body.data).toMatchObject({
    version: 3,
    is_public: true,
  })
  await put([{ key, value: { open: true } }])
  const { changes } = (await call(admin, 'GET', `${at}/history`)).body.data
  expect(changes).toMatchObject([
    { version: 4, after: { value: { open: true } }, changes: [{ path: '/open', before: false, after: true }] },
    { version: 3 },
    { version: 2, changes: [] },
    { version: 1, before: null, reason: 'full', changed_by: admin.userId },
  ])
  const fresh = someKey()
  await put([{ key: fresh, value: 1 }])
  const undone = await call(admin, 'POST', `${CONFIGS}/${fresh}/undo`)
  expect(undone.body.data).toMatchObject({ id: null, value: null, version: 2 })
  expect((await all())[fresh]).toBeUndefined()
  expect((await readPlatformSnapshot(deps))?.configs).not.toHaveProperty([fresh])
})

test('public configurations are sent to users, and the snapshot contains only stored ones', async () => {
  const [shown, hidden] = [someKey(), someKey()]
  await put([
    { key: shown, value: 'yes', is_public: true },
    { key: hidden, value: 'no' },
  ])
  const account = crypto.randomUUID()
  const url = `/internal/accounts/${account}/profile?role=user`
  const { globalConfigs } = (await call({ kind: 'service', service: 'identity' }, 'GET', url)).body
  expect(globalConfigs).toMatchObject({ [shown]: 'yes', 'api_settings.page_sizes': { default: 20, max: 100 } })
  expect(globalConfigs).not.toHaveProperty([hidden])
  expect(globalConfigs).not.toHaveProperty(['system_config.sessions'])
  const snapshot = await readPlatformSnapshot(deps)
  expect(snapshot?.configs[hidden]).toEqual({ value: 'no', is_public: false })
  expect(await readPlatformSnapshot(deps, snapshot)).toBeUndefined()
})

test('the tier documents are one of the configurations', async () => {
  await seedTiers(deps, { kind: 'service', service: 'config' }, tierDocuments)
  const key = 'subscription_tier_config'
  const { id, version, value } = (await all())[key]
  const raisedLimits = { ...value, pro: { ...value.pro, rateLimits: { ...value.pro.rateLimits, burstLimit: 99 } } }
  expect((await put([{ id, key, value: raisedLimits, version }])).body.data.updated).toMatchObject([
    { key, version: version + 1 },
  ])
  const wrong = {
    ...raisedLimits,
    pro: { ...raisedLimits.pro, rateLimits: { ...raisedLimits.pro.rateLimits, burstLimit: 0 } },
  }
  expect((await put([{ id, key, value: wrong, version: version + 1 }])).body.data.failed).toMatchObject([
    { code: 'tier.invalid', errors: [{ field: '/pro/rateLimits/burstLimit' }] },
  ])
  const late = await put([{ id, key, value, version }])
  expect(late.body).toMatchObject({ status: 409, code: 'global_config.changed_meanwhile' })
  expect(late.body.errors).toMatchObject([
    { field: '/updates/0/version', message: expect.stringContaining('is 2, not 1; /pro/rateLimits/burstLimit') },
    { field: '/updates/0/value/pro/rateLimits/burstLimit', message: expect.stringContaining('is now 99') },
  ])
  const alongside = (
    await put([
      { id, key, value, version },
      { key: someKey(), value: 1 },
    ])
  ).body.data
  expect(alongside.failed).toMatchObject([
    { key, current: { version: 2 }, changed: [{ path: '/pro/rateLimits/burstLimit', before: 100, after: 99 }] },
  ])
  expect((await put([{ id: 'another', key, value }])).body.data.failed).toMatchObject([
    { key, code: 'global_config.not_found', current: { version: 2 } },
  ])
  // null: only a default was there when the client read it.
  expect((await put([{ id: null, key, value }])).body).toMatchObject({ code: 'global_config.changed_meanwhile' })
  expect((await all())[key].value).toEqual(raisedLimits)
})

test('history, difference and undo of the tier documents match their own calls', async () => {
  const at = `${CONFIGS}/subscription_tier_config`
  const changes = [{ path: '/pro/rateLimits/burstLimit', before: 100, after: 99 }]
  const history = (await call(admin, 'GET', `${at}/history`)).body.data
  expect(history.changes).toMatchObject([
    { version: 2, before: { value: tierDocuments }, changes, changed_by: admin.userId },
    { version: 1, before: null, after: { value: tierDocuments } },
  ])
  expect((await call(admin, 'GET', `${at}/diff?from=1&to=2`)).body.data).toEqual({ changes })
  expect((await call(admin, 'GET', `${at}/diff?from=0&to=1`)).body.data.changes).toMatchObject([{ path: '/' }])
  expect((await call(admin, 'GET', `${at}/diff?from=1&to=9`)).status).toBe(404)
  expect((await call(admin, 'POST', `${at}/undo`, { version: 1 })).body).toMatchObject({ status: 409 })
  const undone = (await call(admin, 'POST', `${at}/undo`, { version: 2, reason: 'too dear' })).body
  expect(undone.data).toMatchObject({ key: 'subscription_tier_config', version: 3, value: tierDocuments })
  expect((await call(admin, 'POST', `${at}/undo`)).body.data).toMatchObject({ version: 4 })
  const [newest] = (await call(admin, 'GET', '/api/v1/admin/tiers/history')).body.data.editions
  expect(newest).toMatchObject({ version: 4, changes })
})

test('only admins can read and write configurations', async () => {
  for (const actor of [user, tester]) {
    expect((await call(actor, 'GET', CONFIGS)).status).toBe(403)
    expect((await put([{ key: 'a.b', value: 1 }], {}, actor)).status).toBe(403)
  }
  expect((await put([{ key: 'a.b', value: 1 }], {}, { kind: 'anonymous' })).status).toBe(401)
  expect((await all())['a.b']).toBeUndefined()
})
