import { expect, test } from 'vitest'
import { reloadOnce } from './reload-once.ts'

function someTab() {
  const entries = new Map<string, string>()
  const tab = { nowMs: 1_000_000, isServed: true, reloads: 0 }
  const deps = {
    storage: {
      getItem: (name: string) => entries.get(name) ?? null,
      setItem: (...entry: [string, string]) => void entries.set(...entry),
    },
    now: () => tab.nowMs,
    isServed: async () => tab.isServed,
    reload: () => void (tab.reloads += 1),
  }
  return { tab, deps }
}

test('a missing chunk reloads the page once, and again after the next deployment', async () => {
  const { tab, deps } = someTab()
  expect([await reloadOnce(deps), tab.reloads]).toEqual([true, 1])
  tab.nowMs += 5_000
  expect([await reloadOnce(deps), tab.reloads]).toEqual([false, 1])
  tab.nowMs += 120_000
  expect([await reloadOnce(deps), tab.reloads]).toEqual([true, 2])
})

test('while the page server is unreachable, nothing is reloaded', async () => {
  const { tab, deps } = someTab()
  tab.isServed = false
  expect([await reloadOnce(deps), tab.reloads]).toEqual([false, 0])
  tab.isServed = true
  expect(await reloadOnce(deps)).toBe(true)
})
