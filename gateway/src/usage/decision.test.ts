import { expect, test } from 'vitest'
import { type Counts, type Decision, POLICY_NAMES, tightest } from './decision.ts'

const LIMITS = [100, 1_000, 5_000, 50_000, 500_000, 50]

function counts(used: number[], limits = LIMITS, resetMs = [1, 2, 3, 4, 5, 0]): Counts {
  return { used, resetMs, limits: { values: limits, argv: limits.map(String) } }
}

function decided(own: Counts, key?: Counts, deniedMask = 0): Decision {
  const verdict = deniedMask === 0 ? 'admitted' : 'denied'
  const ofKey = key === undefined ? undefined : { ...key, policyHeader: '' }
  return { ...own, verdict, isDegraded: false, nowMs: 0, deniedMask, retryAfterMs: 0, key: ofKey }
}

test('headers describe the window with the smallest remaining share of its limit, not the fewest requests', () => {
  const decision = decided(counts([1, 20, 3_243, 3_300, 9_000, 1]))
  expect(POLICY_NAMES[tightest(decision)]).toBe('hour')
})

test('of windows with an equal remaining share, the longer one is described', () => {
  expect(POLICY_NAMES[tightest(decided(counts([50, 500, 2_500, 0, 0, 0])))]).toBe('hour')
  expect(POLICY_NAMES[tightest(decided(counts([0, 0, 0, 0, 0, 0])))]).toBe('month')
})

test("a key's own window is described when its remaining share is smaller", () => {
  const own = counts([1, 20, 3_243, 3_300, 9_000, 1])
  expect(POLICY_NAMES[tightest(decided(own, counts([1, 90, 0, 0, 0, 1], [10, 100, 9e9, 9e9, 9e9, 9])))]).toBe('key-min')
  expect(POLICY_NAMES[tightest(decided(own, counts([1, 50, 0, 0, 0, 1], [10, 100, 9e9, 9e9, 9e9, 9])))]).toBe('hour')
})

test('of windows that denied, the last one to free capacity is described', () => {
  expect(POLICY_NAMES[tightest(decided(counts([100, 1_000, 0, 0, 0, 0]), undefined, 0b11))]).toBe('min')
})
