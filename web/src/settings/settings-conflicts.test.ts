import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { settingsIn } from './settings-store.ts'
import { someServer, storeOf } from '../../test/settings.fixture.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the user decides about a setting that two tabs changed, and nothing is overwritten until then', async () => {
  const server = someServer()
  const { store } = storeOf(server)
  await store.load()
  server.saveElsewhere({ timezone: 'America/New_York' })
  store.change({ timezone: 'Europe/London' })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(store.get()).toMatchObject({ conflict: ['timezone'], changed: { timezone: 'Europe/London' } })
  expect(server.saved.user_settings.timezone).toBe('America/New_York')
  await store.save()
  expect(server.saved.user_settings.timezone).toBe('Europe/London')
  server.saveElsewhere({ timezone: 'UTC' })
  store.change({ timezone: 'America/Los_Angeles' })
  await vi.advanceTimersByTimeAsync(5_000)
  store.discard()
  expect(settingsIn(store.get()).timezone).toBe('UTC')
})

test("a setting in conflict waits for the user's decision, regardless of other changes meanwhile", async () => {
  const server = someServer()
  const { store } = storeOf(server)
  await store.load()
  server.saveElsewhere({ timezone: 'America/New_York' })
  store.change({ timezone: 'Europe/London' })
  await vi.advanceTimersByTimeAsync(1_000)
  store.change({ theme: 'light' })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(server.saved.user_settings).toMatchObject({ theme: 'light', timezone: 'America/New_York' })
  store.mergeSaved(server.saveElsewhere({ language: 'fr' }))
  store.change({ dashboardCompactMode: true })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(store.get()).toMatchObject({ conflict: ['timezone'], changed: { timezone: 'Europe/London' } })
  expect(server.saved.user_settings).toMatchObject({ dashboardCompactMode: true, timezone: 'America/New_York' })
  store.discard()
  expect(store.get()).toMatchObject({ conflict: [], changed: {} })
})

test('a decided conflict is shown again only if the setting changed again', async () => {
  const server = someServer()
  const { store } = storeOf(server)
  await store.load()
  server.saveElsewhere({ timezone: 'America/New_York' })
  store.change({ timezone: 'Europe/London' })
  await vi.advanceTimersByTimeAsync(1_000)
  server.saveElsewhere({ timezone: 'Asia/Tokyo' })
  await store.save()
  expect(store.get()).toMatchObject({ conflict: ['timezone'], saved: { user_settings: { timezone: 'Asia/Tokyo' } } })
  server.saveElsewhere({ language: 'es' })
  await store.save()
  expect(server.saved.user_settings).toMatchObject({ timezone: 'Europe/London', language: 'es' })
})

test("receiving one's own change before its answer is not a conflict", async () => {
  const server = someServer()
  const { store } = storeOf(server)
  await store.load()
  store.change({ timezone: 'Europe/London' })
  server.beforeAnswer = async () => {
    store.mergeSaved(server.saved)
    store.change({ timezone: 'Asia/Tokyo' })
  }
  await vi.advanceTimersByTimeAsync(1_000)
  server.beforeAnswer = undefined
  expect(store.get().conflict).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.saved.user_settings.timezone).toBe('Asia/Tokyo')
})

test('retries stop if the server keeps rejecting', async () => {
  const server = someServer()
  const { store } = storeOf(server)
  await store.load()
  server.refusesAlways = true
  store.change({ timezone: 'Europe/London' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect([server.puts.length, store.get().failure?.status, store.get().changed]).toEqual([
    1,
    409,
    { timezone: 'Europe/London' },
  ])
  server.beforeAnswer = async () => void server.saveElsewhere({ dashboardItemsPerPage: 50 })
  await store.save()
  expect([server.puts.length, store.get().outcome]).toEqual([4, 'failed'])
})

test('an answer for the previous user is not stored, saved or shown for the next one', async () => {
  const server = someServer()
  const { store } = storeOf(server)
  server.saveElsewhere({ language: 'fr' })
  const first = Promise.withResolvers<void>()
  server.beforeAnswer = () => first.promise
  const loading = store.load()
  store.forget()
  first.resolve()
  await loading
  expect(store.get()).toMatchObject({ saved: undefined, failure: undefined })
  server.beforeAnswer = undefined
  await store.load()
  const second = Promise.withResolvers<void>()
  server.beforeAnswer = () => second.promise
  store.change({ language: 'es' })
  const saving = store.save()
  store.forget()
  second.resolve()
  await saving
  expect(store.get()).toMatchObject({ saved: undefined, outcome: undefined, isSaving: false })
})
