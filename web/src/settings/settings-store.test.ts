import { DEFAULT_SETTINGS } from '@tapeline/contracts/config/settings'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { settingsIn } from './settings-store.ts'
import { someServer, storeOf } from '../../test/settings.fixture.ts'
import { DEFAULTS, settingsOfDetails } from './user-settings.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the defaults are those of the server', () => {
  expect(DEFAULTS).toEqual(DEFAULT_SETTINGS)
})

test('a change applies at once, is saved a second later, and a message shows that for three seconds', async () => {
  const server = someServer()
  const { store, applied } = storeOf(server)
  await store.load()
  store.change({ dashboardCompactMode: true })
  expect(applied.at(-1)).toMatchObject({ dashboardCompactMode: true })
  await vi.advanceTimersByTimeAsync(600)
  store.change({ dashboardItemsPerPage: 50 })
  await vi.advanceTimersByTimeAsync(999)
  expect(server.puts).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(server.saved).toMatchObject({
    user_settings: { dashboardCompactMode: true, dashboardItemsPerPage: 50 },
    version: 1,
  })
  expect(store.get()).toMatchObject({ changed: {}, outcome: 'saved' })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(store.get().outcome).toBeUndefined()
})

test('the button saves without waiting, and once', async () => {
  const server = someServer()
  const { store } = storeOf(server)
  await store.load()
  store.change({ timezone: 'Europe/London' })
  await store.save()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(server.puts).toEqual([{ theme: 'dark', language: 'en', timezone: 'Europe/London' }])
})

test('changes are saved at once when the page is left, and again on the return if that failed', async () => {
  const server = someServer()
  const { store } = storeOf(server)
  await store.load()
  store.change({ language: 'fr' })
  server.isUnavailable = true
  await store.saveUnsaved()
  expect(store.get()).toMatchObject({ outcome: 'failed', changed: { language: 'fr' } })
  server.isUnavailable = false
  await store.saveUnsaved()
  await store.saveUnsaved()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(server.puts).toEqual([{ theme: 'dark', language: 'fr' }])
})

test('a flush waits for a running save and saves the changes made since', async () => {
  const server = someServer()
  const { store } = storeOf(server)
  await store.load()
  store.change({ timezone: 'Europe/London' })
  const running = store.saveUnsaved()
  store.change({ dashboardItemsPerPage: 50 })
  await store.flush()
  expect(server.saved.user_settings).toMatchObject({ timezone: 'Europe/London', dashboardItemsPerPage: 50 })
  await running
  server.isUnavailable = true
  store.change({ dashboardItemsPerPage: 10 })
  await store.flush()
  expect(store.get()).toMatchObject({ outcome: 'failed', changed: { dashboardItemsPerPage: 10 } })
})

test('a tab without settings loads them once', async () => {
  const server = someServer()
  let answers = 0
  server.beforeAnswer = async () => void (answers += 1)
  const { store } = storeOf(server)
  await Promise.all([store.loadMissing(), store.loadMissing()])
  await store.loadMissing()
  expect([answers, store.get().saved?.version]).toEqual([1, 0])
  store.forget()
  await store.loadMissing()
  expect(answers).toBe(2)
})

test('a value that was changed back is not a change', async () => {
  const server = someServer()
  const { store } = storeOf(server)
  await store.load()
  store.change({ language: 'es' })
  store.change({ language: 'en' })
  await vi.advanceTimersByTimeAsync(5_000)
  expect([store.get().changed, server.puts]).toEqual([{}, []])
})

test('a failed save keeps the changes, and a message shows the failure for three seconds', async () => {
  const server = someServer()
  const { store } = storeOf(server)
  await store.load()
  server.isUnavailable = true
  store.change({ language: 'fr' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(store.get()).toMatchObject({ outcome: 'failed', changed: { language: 'fr' }, failure: { status: 0 } })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(store.get()).toMatchObject({ outcome: undefined, changed: { language: 'fr' } })
  server.isUnavailable = false
  await store.save()
  expect(server.saved.user_settings.language).toBe('fr')
})

test('the changes of two tabs are both kept', async () => {
  const server = someServer()
  const { store } = storeOf(server)
  await store.load()
  server.saveElsewhere({ language: 'es' })
  store.change({ timezone: 'Europe/London' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.saved.user_settings).toMatchObject({ language: 'es', timezone: 'Europe/London' })
  expect(store.get()).toMatchObject({ conflict: [], changed: {}, outcome: 'saved' })
})

test('a reset is a change like any other, and can be undone', async () => {
  const server = someServer()
  server.saveElsewhere({ language: 'fr', dashboardItemsPerPage: 50 })
  const { store } = storeOf(server)
  await store.load()
  store.reset()
  expect(store.get().changed).toEqual({ language: 'en', dashboardItemsPerPage: 20 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.saved.user_settings).toEqual(DEFAULT_SETTINGS)
  store.undoReset()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.saved.user_settings).toMatchObject({ language: 'fr', dashboardItemsPerPage: 50 })
})

test("a user without saved settings keeps this browser's theme, which is saved with the first change", async () => {
  const server = someServer()
  const { store, applied } = storeOf(server, 'light')
  await store.load()
  expect(applied.at(-1)?.theme).toBe('light')
  store.change({ language: 'es' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.saved.user_settings).toMatchObject({ theme: 'light', language: 'es' })
})

test('the next user starts without settings, and changes of the previous user are not saved', async () => {
  const server = someServer()
  const { store } = storeOf(server)
  await store.load()
  store.change({ language: 'fr' })
  store.forget()
  await vi.advanceTimersByTimeAsync(5_000)
  expect([store.get().saved, settingsIn(store.get()), server.puts]).toEqual([undefined, DEFAULTS, []])
})

test('settings are read from the details as an object or as text, otherwise they are unknown', () => {
  const chosen = { ...DEFAULTS, theme: 'light' }
  expect(settingsOfDetails({ user_settings: chosen, user_settings_version: 3 })).toEqual({
    user_settings: chosen,
    version: 3,
  })
  expect(settingsOfDetails({ user_settings: '{"theme":"light"}', user_settings_version: 3 })).toEqual({
    user_settings: chosen,
    version: 3,
  })
  expect(settingsOfDetails({})).toBeUndefined()
  expect(settingsOfDetails({ user_settings: 'not JSON', user_settings_version: 1 })).toBeUndefined()
})
