import { expect, test } from 'vitest'
import { createStallDetector, type PartitionState } from './stall-detector.ts'

const CHECK_EVERY_MS = 5_000
const STALLED_AFTER_MS = 30_000
const CHECKS = STALLED_AFTER_MS / CHECK_EVERY_MS

/** `at` gives position and number of waiting messages of partitions 0, 1, … at the nth check. */
type Positions = (n: number) => [position: number, waiting: number][]

function openChecks() {
  const detector = createStallDetector({ checkEveryMs: CHECK_EVERY_MS, stalledAfterMs: STALLED_AFTER_MS })
  let nowMs = 0
  const observe = (partitions: PartitionState[], everyMs = CHECK_EVERY_MS) => {
    nowMs += everyMs
    return detector.observe(new Date(nowMs), partitions)
  }
  return {
    detector,
    observe,
    /** Makes checks; returns the stalled partitions with their time in ms, in the order of their report. */
    check: (count: number, at: Positions) =>
      Array.from({ length: count }, (_, n) => observe(statesOf(at(n))))
        .flat()
        .map(({ partition, since }) => [partition, since.getTime()]),
  }
}

function statesOf(partitions: [position: number, waiting: number][]): PartitionState[] {
  return partitions.map(([position, waiting], partition) => ({
    topic: 'usage',
    partition,
    position: BigInt(position),
    waiting,
  }))
}

test('a partition with waiting messages stalls while others advance, and is reported once', () => {
  const { check, detector } = openChecks()
  const at: Positions = (n) => [
    [100 * n, 3],
    [7, 2],
    [50, 0],
  ]
  expect(check(CHECKS, at)).toEqual([])
  expect(detector.isStalled()).toBe(false)
  expect(check(3, (n) => at(CHECKS + n))).toEqual([[1, CHECK_EVERY_MS]])
  expect(detector.isStalled()).toBe(true)
  expect(
    check(1, (n) => [
      [100 * n, 0],
      [8, 1],
      [50, 0],
    ]),
  ).toEqual([])
  expect(detector.isStalled()).toBe(false)
})

test('when no partition advances, those with waiting messages stall', () => {
  const { check } = openChecks()
  const at: Positions = () => [
    [1, 90_000],
    [7, 2],
    [50, 0],
  ]
  expect(check(CHECKS, at)).toEqual([])
  expect(check(1, at)).toEqual([
    [0, CHECK_EVERY_MS],
    [1, CHECK_EVERY_MS],
  ])
})

test('an idle partition does not stall, and its time begins with its first waiting message', () => {
  const { check } = openChecks()
  expect(
    check(3 * CHECKS, (n) => [
      [n, 0],
      [7, 0],
    ]),
  ).toEqual([])
  expect(
    check(CHECKS, (n) => [
      [900 + n, 0],
      [7, 1],
    ]),
  ).toEqual([[1, 3 * STALLED_AFTER_MS]])
})

test('a partition that was just assigned, or is assigned no longer, is not stalled', () => {
  const { check, detector } = openChecks()
  check(2 * CHECKS, (n) => [
    [n, 0],
    [7, 1],
  ])
  expect(detector.isStalled()).toBe(true)
  detector.reset()
  expect(detector.isStalled()).toBe(false)
  expect(
    check(CHECKS, (n) => [
      [n, 0],
      [7, 1],
    ]),
  ).toEqual([])
  expect(check(CHECKS, (n) => [[900 + n, 0]])).toEqual([])
  expect(detector.isStalled()).toBe(false)
})

test('while the others work through a backlog, a partition may wait ten times as long', () => {
  const { check, detector } = openChecks()
  // One batch in three checks.
  const at: Positions = (n) => [
    [1_000 * Math.floor(n / 3), 500_000 - 1_000 * Math.floor(n / 3)],
    [7, 1],
  ]
  expect(check(5 * CHECKS, at)).toEqual([])
  expect(check(6 * CHECKS, (n) => at(5 * CHECKS + n))).toEqual([[1, CHECK_EVERY_MS]])
  expect(detector.isStalled()).toBe(true)
})

test('of the time without checks, for example during an outage of Kafka, at most two intervals count', () => {
  const { observe, detector } = openChecks()
  const still = statesOf([[7, 1]])
  for (let outage = 0; outage < 3; outage += 1) observe(still, 10 * STALLED_AFTER_MS)
  expect(detector.isStalled()).toBe(false)
})
