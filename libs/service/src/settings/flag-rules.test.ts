import type { FlagRule } from '@tapeline/contracts/config/flags'
import { expect, test } from 'vitest'
import { bucketPercent, flagsOf, isFlagOn, rolesReached } from './flag-rules.ts'

const NOW = Date.UTC(2026, 2, 10)
const HOUR = 3_600_000
const rule = (changes: Partial<FlagRule> = {}): FlagRule => ({
  key: 'new_charts',
  role: 'user',
  enabled: true,
  is_public: false,
  description: null,
  metadata: {},
  rollout_percent: 100,
  enabled_from: null,
  enabled_until: null,
  ...changes,
})
const at = (ms: number) => new Date(ms).toISOString()
const user = (userId = 'a', role: 'user' | 'tester' | 'admin' = 'user') => ({ userId, role })
const isOn = (changes: Partial<FlagRule>, viewer: Parameters<typeof isFlagOn>[2] = user(), nowMs = NOW) =>
  isFlagOn([rule(changes)], 'new_charts', viewer, nowMs)

test('a schedule starts at its start and ends at its end', () => {
  const hour = { enabled_from: at(NOW), enabled_until: at(NOW + HOUR) }
  expect([-1, 0, HOUR - 1, HOUR].map((ms) => isOn(hour, user(), NOW + ms))).toEqual([false, true, true, false])
  expect(isOn({ ...hour, enabled: false })).toBe(false)
})

test('a rollout covers its share of the accounts and keeps them when it grows', () => {
  const accounts = Array.from({ length: 4_000 }, (_, n) => user(`account-${n}`))
  const reached = (percent: number) => accounts.filter((account) => isOn({ rollout_percent: percent }, account))
  expect(reached(0)).toEqual([])
  expect(reached(100)).toHaveLength(4_000)
  expect(reached(25).length / 4_000).toBeCloseTo(0.25, 1)
  const quarter = reached(25)
  expect(reached(40)).toEqual(expect.arrayContaining(quarter))
  expect(bucketPercent('new_charts', 'account-1')).not.toBe(bucketPercent('old_charts', 'account-1'))
})

test('a visitor has public flags and is in no partial rollout', () => {
  expect(isOn({}, null)).toBe(false)
  expect(isOn({ is_public: true }, null)).toBe(true)
  expect(isOn({ is_public: true, rollout_percent: 99.9 }, null)).toBe(false)
  expect(isOn({ is_public: true, role: 'tester' }, null)).toBe(false)
})

test('a role has the flags of the roles below it; a key is on when one of them is on', () => {
  const rules = [rule({ enabled: false, description: 'off' }), rule({ role: 'tester', description: 'on' })]
  expect(flagsOf(rules, user(), NOW)).toEqual({
    featureFlags: [],
    flags: [{ key: 'new_charts', enabled: false, description: 'off', metadata: {} }],
  })
  for (const role of ['tester', 'admin'] as const) {
    expect(flagsOf(rules, user('a', role), NOW).flags).toEqual([
      { key: 'new_charts', enabled: true, description: 'on', metadata: {} },
    ])
  }
  expect(rolesReached('tester')).toEqual(['tester', 'admin'])
})
