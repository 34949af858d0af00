import { expect, test } from 'vitest'
import {
  type Admission,
  boundOf,
  checkRedisSplit,
  isolationOf,
  type RedisSplit,
  type WindowSplit,
} from './check-redis.ts'

const CUT_MS = 100_000
const admissionsOf = (
  count: number,
  fromMs: number,
  [side, by]: [Admission['side'], Admission['by']],
  everyMs = 50,
): Admission[] => Array.from({ length: count }, (_none, n) => ({ atMs: fromMs + n * everyMs, side, by }))
const minute = (admissions: Admission[]): WindowSplit => ({
  policy: 'min',
  windowMs: 60_000,
  limit: 60,
  sent: 1_000,
  admissions,
})
/** 30 are used before the cut; then the cut master admits the rest, and so do shares and the new master. */
const BEFORE = admissionsOf(30, CUT_MS - 5_000, ['kept', 'redis'])
const ISOLATED = admissionsOf(30, CUT_MS + 50, ['cut', 'redis'])
const KEPT = [
  ...admissionsOf(20, CUT_MS + 100, ['kept', 'share']),
  ...admissionsOf(10, CUT_MS + 3_000, ['kept', 'redis']),
]
const LATER = minute(admissionsOf(60, CUT_MS + 20_000, ['kept', 'redis']))

function splitOf(admissions: Admission[], later = LATER): RedisSplit {
  const windows = [minute(admissions)]
  return { cutMs: CUT_MS, healedMs: CUT_MS + 12_000, gateways: 3, replicaLagMaxS: 2, windows, later: [later] }
}
const brokenIn = (split: RedisSplit) =>
  checkRedisSplit(split).flatMap(({ guarantee, broken }) => (broken.length === 0 ? [] : [guarantee]))

test('both sides may admit the limit, the rest of it again and their shares', () => {
  const split = splitOf([...BEFORE, ...ISOLATED, ...KEPT])
  expect(brokenIn(split)).toEqual([])
  expect(isolationOf(split)).toEqual({ isolated: 30, isolatedForMs: 1_500 })
  expect(split.windows.map((window) => boundOf(split, window))).toEqual([60 + 30 + 3 * 10])
})

test('in a window shorter than the cut, nothing used before it counts', () => {
  const split = splitOf([])
  const burst: WindowSplit = { policy: 'burst', windowMs: 1_000, limit: 15, sent: 500, admissions: BEFORE }
  expect(boundOf(split, burst)).toBe(15 + 15 + 3 * 5)
})

test('a cut master that admits requests for too long, or more than what is left, is found', () => {
  const slow = splitOf([...BEFORE, ...admissionsOf(10, CUT_MS + 50, ['cut', 'redis'], 600), ...KEPT])
  expect(brokenIn(slow)).toEqual(['a master without its replicas rejects writes within 4500 ms'])
  const many = splitOf([...BEFORE, ...admissionsOf(100, CUT_MS + 50, ['cut', 'redis'], 20), ...KEPT])
  expect(brokenIn(many)).toEqual([
    'Redis cut off, min: both sides admit at most the limit, the rest of it again, and a share per gateway',
  ])
})

test('a gateway that admits more than its share without its master is found', () => {
  const byShare = admissionsOf(21, CUT_MS + 4_000, ['cut', 'share'])
  expect(brokenIn(splitOf([...BEFORE, ...ISOLATED, ...byShare]))).toEqual([
    'Redis cut off, min: without its master, the gateway that is cut off admits at most its share',
  ])
})

test('a limit that is not exact after healing, or that nothing exceeds, is found', () => {
  const exact = 'after healing, min: both sides together admit exactly the limit'
  const split = (count: number) =>
    splitOf([...BEFORE, ...ISOLATED, ...KEPT], minute(admissionsOf(count, CUT_MS + 20_000, ['cut', 'redis'])))
  expect(brokenIn(split(61))).toEqual([exact])
  expect(brokenIn(split(59))).toEqual([exact])
  expect(brokenIn(splitOf([...BEFORE, ...ISOLATED, ...KEPT], { ...LATER, sent: 60 }))).toEqual([exact])
})
