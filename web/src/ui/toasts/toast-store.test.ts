import { expect, test } from 'vitest'
import { createToastStore } from './toast-store.ts'

function storeOf() {
  let last = 0
  return createToastStore(() => String((last += 1)))
}

test('a toast is shown for five seconds unless it has a duration', () => {
  const store = storeOf()
  store.show({ type: 'info', title: 'A' })
  store.show({ type: 'info', title: 'B', durationMs: 3_000 })
  expect(store.get().shown.map(({ durationMs }) => durationMs)).toEqual([5_000, 3_000])
})

test('dismissed toasts stay in the log, which is bounded', () => {
  const store = storeOf()
  for (let count = 0; count < 30; count += 1) store.show({ type: 'error', title: `Failure ${count}` })
  expect(store.get().shown).toHaveLength(4)
  expect(store.get().log).toHaveLength(20)
  store.dismiss(store.get().shown[0]?.id ?? '')
  expect(store.get().shown).toHaveLength(3)
  expect(store.get().log).toHaveLength(20)
})

test('after a change of user the log contains only messages still shown', () => {
  const store = storeOf()
  store.show({ type: 'info', title: 'Gone' })
  store.dismiss(store.get().shown[0]?.id ?? '')
  store.show({ type: 'info', title: 'Still there' })
  store.forgetPast()
  expect(store.get().log.map(({ title }) => title)).toEqual(['Still there'])
})
