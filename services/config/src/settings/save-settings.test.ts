import { DEFAULT_SETTINGS } from '@tapeline/contracts/config/settings'
import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { migrations } from '../migrations/all.ts'
import { readSubscription } from '../subscriptions/read-subscription.ts'
import type { Tables } from '../tables.ts'
import { readSettings } from './read-settings.ts'
import { saveSettings } from './save-settings.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)
const raised: unknown[] = []
const deps = {
  db,
  now: () => new Date(),
  newId: () => randomUUIDv7(),
  raiseVersion: async (version: unknown) => raised.push(version) > 0,
}
const eventsOf = async (account: string) => {
  const rows = await db
    .selectFrom('outbox')
    .select('envelope')
    .where('subject', '=', account)
    .orderBy('position')
    .execute()
  return rows.map(({ envelope }) => envelope)
}

test('the defaults apply until settings are saved', async () => {
  expect(await readSettings(deps, someUser().userId)).toEqual({ user_settings: DEFAULT_SETTINGS, version: 0 })
})

test('a JSON string and an object are saved alike, and absent fields keep their value', async () => {
  const actor = someUser()
  await saveSettings(deps, actor, { user_settings: '{"theme":"light","dashboardItemsPerPage":50}' })
  const saved = await saveSettings(deps, actor, { user_settings: { language: 'fr' } })
  const expected = { ...DEFAULT_SETTINGS, theme: 'light', dashboardItemsPerPage: 50, language: 'fr' }
  expect(saved).toEqual({ user_settings: expected, version: 2 })
  expect(await readSettings(deps, actor.userId)).toEqual(saved)
  expect(await eventsOf(actor.userId)).toMatchObject([
    { type: 'config.settings-changed.v1', data: { before: { theme: 'dark' }, after: { theme: 'light' } } },
    { data: { settings_version: 2, before: { language: 'en' }, after: { language: 'fr' } } },
  ])
})

test('saving the same settings adds no version and no event', async () => {
  const actor = someUser()
  await saveSettings(deps, actor, { user_settings: { theme: 'light' } })
  expect((await saveSettings(deps, actor, { user_settings: { theme: 'light' } })).version).toBe(1)
  expect(await eventsOf(actor.userId)).toHaveLength(1)
})

test.each([
  ['not json', '/user_settings'],
  ['[]', '/user_settings'],
  ['null', '/user_settings'],
  ['{"theme":"pink"}', '/user_settings/theme'],
  ['{"language":"xx"}', '/user_settings/language'],
  ['{"dashboardItemsPerPage":30}', '/user_settings/dashboardItemsPerPage'],
  ['{"dashboardItemsPerPage":"20"}', '/user_settings/dashboardItemsPerPage'],
  ['{"dashboardDefaultView":"admin"}', '/user_settings/dashboardDefaultView'],
  ['{"notificationFrequency":null}', '/user_settings/notificationFrequency'],
  ['{"emailNotifications":1}', '/user_settings/emailNotifications'],
  ['{"timezone":"Mars/Olympus"}', '/user_settings/timezone'],
  ['{"timezone":"+02:00"}', '/user_settings/timezone'],
  ['{"timezone":"IST"}', '/user_settings/timezone'],
  ['{"timezone":"SystemV/AST4"}', '/user_settings/timezone'],
  ['{"role":"admin"}', '/user_settings/role'],
])('%s is rejected with its place, and nothing is saved', async (user_settings, field) => {
  const actor = someUser()
  await expect(saveSettings(deps, actor, { user_settings })).rejects.toMatchObject({
    code: 'settings.invalid',
    errors: [{ field }],
  })
  expect((await readSettings(deps, actor.userId)).version).toBe(0)
})

test("of two tabs the second gets a conflict with the first one's changes, and overwrites nothing", async () => {
  const actor = someUser()
  const { version } = await saveSettings(deps, actor, { user_settings: { theme: 'light' }, version: 0 })
  await saveSettings(deps, actor, { user_settings: { language: 'es', theme: 'system' }, version })
  await expect(
    saveSettings(deps, actor, { user_settings: { theme: 'dark', dashboardCompactMode: true }, version }),
  ).rejects.toMatchObject({
    code: 'settings.changed_meanwhile',
    errors: [
      { field: '/user_settings/theme', message: 'theme is now "system"' },
      { field: '/user_settings/language', message: 'language is now "es"' },
    ],
  })
  expect(await readSettings(deps, actor.userId)).toMatchObject({
    version: 2,
    user_settings: { theme: 'system', language: 'es', dashboardCompactMode: false },
  })
})

test('of many tabs that save the same version concurrently, one succeeds', async () => {
  const actor = someUser()
  const saves = ['en', 'es', 'fr', 'de'].map((language, n) =>
    saveSettings(deps, actor, { user_settings: { language, dashboardItemsPerPage: [10, 50][n % 2] }, version: 0 }),
  )
  const outcomes = await Promise.allSettled(saves)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await readSettings(deps, actor.userId)).version).toBe(1)
})

test('a tab with a very old version gets all settings as changed', async () => {
  const actor = someUser()
  for (let n = 0; n < 23; n += 1) {
    await saveSettings(deps, actor, { user_settings: { dashboardCompactMode: n % 2 === 0 } })
  }
  await expect(saveSettings(deps, actor, { user_settings: { theme: 'light' }, version: 1 })).rejects.toMatchObject({
    errors: expect.objectContaining({ length: Object.keys(DEFAULT_SETTINGS).length }),
  })
  const versions = await db
    .selectFrom('user_settings')
    .select('version')
    .where('account_id', '=', actor.userId)
    .execute()
  expect(versions).toHaveLength(20)
})

test('another time zone takes effect on the next request at every gateway', async () => {
  const actor = someUser()
  const saved = await saveSettings(deps, actor, { user_settings: { timezone: 'asia/tokyo' } })
  expect(saved.user_settings.timezone).toBe('Asia/Tokyo')
  expect(await readSubscription(deps, actor.userId)).toMatchObject({ time_zone: 'Asia/Tokyo', version: 2 })
  expect(raised.at(-1)).toEqual({ accountId: actor.userId, field: 's', version: 2 })
  const countBefore = raised.length
  await saveSettings(deps, actor, { user_settings: { theme: 'light' } })
  expect(raised).toHaveLength(countBefore)
})
