import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkRefusedAfter } from './checks/check-answers.ts'
import { checkCounting, type CountingEvidence } from './checks/check-counting.ts'
import { checkLimit, type LimitEvidence } from './checks/check-limits.ts'
import { checkSlow, type SlowEvidence } from './checks/check-slow.ts'
import type { Check } from './drill.ts'
import { DRILLS } from './drills.ts'
import { createRandom } from './random.ts'
import { SABOTAGES } from './sabotages.ts'

const ROOT_DIR = join(import.meta.dirname, '..', '..')
const brokenIn = (checks: readonly Check[]) =>
  checks.filter(({ broken }) => broken.length > 0).map((one) => one.guarantee)

test('every sabotage matches the current sources and an existing drill', () => {
  for (const { name, edits, drill } of SABOTAGES) {
    expect(
      DRILLS.map((one) => one.name),
      name,
    ).toContain(drill)
    for (const { file, find } of edits) {
      expect(existsSync(join(ROOT_DIR, file)), file).toBe(true)
      const parts = readFileSync(join(ROOT_DIR, file), 'utf8').split(find)
      expect(parts.length, `${name}: ${file} must hold this once, or the sabotage follows the code: ${find}`).toBe(2)
    }
  }
})

const right: CountingEvidence = {
  answered: ['a', 'b', 'c'],
  maybeCounted: ['f'],
  unanswered: 1,
  inFlight: 2,
  rows: ['a', 'b', 'c', 'd'],
  repeatedIds: 0,
  mismatches: 0,
  rolledUp: { minute: 4, hour: 4 },
  cells: 5,
  shown: 4,
}

test('counts that agree except for requests interrupted by a kill are accepted', () => {
  expect(brokenIn(checkCounting(right))).toEqual([])
  expect(brokenIn(checkCounting({ ...right, cells: undefined }))).toEqual([])
  const withRefusal = { rows: ['a', 'b', 'c', 'd', 'f'], rolledUp: { minute: 5 }, shown: 5 }
  expect(brokenIn(checkCounting({ ...right, ...withRefusal }))).toEqual([])
})

test.each<[string, Partial<CountingEvidence>]>([
  ['every fully answered request has a row', { rows: ['a', 'b', 'd', 'e'] }],
  ['no request and no event is stored twice', { rows: ['a', 'b', 'c', 'c'] }],
  ['no request and no event is stored twice', { repeatedIds: 1 }],
  ['no request and no event is stored twice', { answered: ['a', 'b', 'c', 'c'] }],
  ['the roll-ups are the sums of the rows', { rolledUp: { minute: 4, hour: 5 } }],
  ['the roll-ups are the sums of the rows', { mismatches: 1 }],
  ['rows without an answer were in flight at a kill', { inFlight: 0, cells: 4 }],
  ['rows without an answer were in flight at a kill', { unanswered: 0 }],
  ['all requests counted by the limiter have a row, except those in flight at a kill', { cells: 7 }],
  ['all requests counted by the limiter have a row, except those in flight at a kill', { cells: 1 }],
  ['the dashboard shows the rows', { shown: 3 }],
])('%s: reported when it is violated', (guarantee, wrong) => {
  expect(brokenIn(checkCounting({ ...right, ...wrong }))).toContain(guarantee)
})

const limit: LimitEvidence = {
  policy: 'min',
  limit: 10,
  windowMs: 60_000,
  gateways: 2,
  admittedMs: Array.from({ length: 15 }, (_, n) => n),
  usedAtLoss: 6,
  uncountedAtLoss: 1,
  requests: 100,
}

test('a limit is exceeded by at most the shares and the uncounted requests', () => {
  expect(brokenIn(checkLimit(limit))).toEqual([])
  const admittedMs = Array.from({ length: 16 }, (_, n) => n)
  expect(brokenIn(checkLimit({ ...limit, admittedMs }))).toHaveLength(1)
  expect(brokenIn(checkLimit({ ...limit, requests: 15 }))).toHaveLength(1)
})

const slow: SlowEvidence = {
  name: 'slow',
  windows: [{ policy: 'min', windowMs: 60_000, limit: 10 }],
  gateways: 2,
  admittedMs: Array.from({ length: 20 }, (_, n) => n),
  requests: 100,
  degraded: 50,
  requestsOfFull: 100,
  admittedOfFull: 0,
}

test.each<[Partial<SlowEvidence>, string[]]>([
  [{}, []],
  [{ admittedMs: Array.from({ length: 21 }, (_, n) => n) }, ['slow, min: at most the limit and one share per gateway']],
  [{ requests: 20 }, ['slow, min: more was requested than may be admitted']],
  [{ admittedMs: [] }, ['slow: requests are still admitted']],
  [{ admittedOfFull: 1 }, ['slow: a full limit stays full']],
  [{ requestsOfFull: 0 }, ['slow: a full limit stays full']],
])('under a slow Redis %j violates %j', (change, broken) => {
  expect(brokenIn(checkSlow({ ...slow, ...change }))).toEqual(broken)
})

test('requests that start after a revocation must be rejected, and there must be at least one', () => {
  const revocation = { what: 'revoke', name: 'key', startMs: 10, endMs: 20 }
  const at = (startMs: number, status: number) => ({ account: 'a', startMs, endMs: startMs + 5, status })
  expect(checkRefusedAfter([at(15, 200), at(21, 401)], revocation).broken).toEqual([])
  expect(checkRefusedAfter([at(15, 200), at(21, 200), at(22, 401)], revocation).broken).toHaveLength(1)
  expect(checkRefusedAfter([at(15, 200)], revocation).broken).toHaveLength(1)
})

test('the same seed gives the same moments', () => {
  const moments = (seed: number) => {
    const random = createRandom(seed)
    return [random.between(1, 1_000), random.between(1, 1_000), ...random.shuffled([1, 2, 3, 4, 5, 6])]
  }
  expect(moments(7)).toEqual(moments(7))
  expect(moments(7)).not.toEqual(moments(8))
  expect(
    createRandom(3)
      .shuffled([1, 2, 3, 4])
      .toSorted((a, b) => a - b),
  ).toEqual([1, 2, 3, 4])
})
