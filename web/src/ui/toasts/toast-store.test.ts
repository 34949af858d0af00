import { afterEach, expect, test, vi } from 'vitest'
import { createToastStore } from './toast-store.ts'

afterEach(() => void vi.unstubAllGlobals())

test('toasts are shown on a page that is not served over HTTPS, where browsers have no random UUIDs', () => {
  vi.stubGlobal('crypto', {})
  const store = createToastStore()
  for (const title of ['A', 'B']) store.show({ type: 'info', title })
  const [a, b] = store.get().shown
  expect([a?.title, b?.title, a?.id === b?.id]).toEqual(['A', 'B', false])
})

test('a toast is shown for five seconds unless it has a duration', () => {
  const store = createToastStore()
  store.show({ type: 'info', title: 'A' })
  store.show({ type: 'info', title: 'B', durationMs: 3_000 })
  expect(store.get().shown.map(({ durationMs }) => durationMs)).toEqual([5_000, 3_000])
})

test('dismissed toasts stay in the log, which is bounded', () => {
  const store = createToastStore()
  for (let count = 0; count < 30; count += 1) store.show({ type: 'error', title: `Failure ${count}` })
  expect(store.get().shown).toHaveLength(4)
  expect(store.get().log).toHaveLength(20)
  store.dismiss(store.get().shown[0]?.id ?? '')
  expect(store.get().shown).toHaveLength(3)
  expect(store.get().log).toHaveLength(20)
})

test('after a change of user the log contains only messages still shown', () => {
  const store = createToastStore()
  store.show({ type: 'info', title: 'Gone' })
  store.dismiss(store.get().shown[0]?.id ?? '')
  store.show({ type: 'info', title: 'Still there' })
  store.forgetPast()
  expect(store.get().log.map(({ title }) => title)).toEqual(['Still there'])
})
