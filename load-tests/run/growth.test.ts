import { expect, test } from 'vitest'
import { growthOf, type Sample, slopePerMinute } from './growth.ts'

const AIMS = { rssMbPerMinute: 1, descriptorsPerMinute: 0.5, loopP99Ms: 20 }
/** Sixty samples, ten seconds apart. */
const samples = (of: (minute: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 60 }, (_, n) => ({ atMs: n * 10_000, rssMb: 100, descriptors: 40, loopP99Ms: 5, ...of(n / 6) }))

test('a slope is the growth per minute', () => {
  expect(slopePerMinute([0, 1, 2, 3].map((minute) => [minute * 60_000, 100 + 3 * minute]))).toBeCloseTo(3)
  expect(slopePerMinute([[0, 7]])).toBe(0)
})

test('an oscillating value does not grow', () => {
  const sawtooth = samples((minute) => ({ rssMb: 100 + 20 * (minute % 1) }))
  expect(growthOf('gateway', sawtooth, AIMS)).toMatchObject({ held: true, rssMb: { first: expect.closeTo(106.7, 0) } })
})

test('growth during the warm-up does not count', () => {
  expect(
    growthOf(
      'gateway',
      samples((minute) => ({ rssMb: Math.min(100, 40 + 30 * minute) })),
      AIMS,
    ).held,
  ).toBe(true)
})

test('two megabytes a minute, a descriptor a minute, and a slow event loop each fail', () => {
  expect(
    growthOf(
      'a',
      samples((minute) => ({ rssMb: 100 + 2 * minute })),
      AIMS,
    ),
  ).toMatchObject({ held: false })
  expect(
    growthOf(
      'b',
      samples((minute) => ({ descriptors: 40 + Math.floor(minute) })),
      AIMS,
    ),
  ).toMatchObject({ held: false })
  expect(
    growthOf(
      'c',
      samples(() => ({ loopP99Ms: 30 })),
      AIMS,
    ),
  ).toMatchObject({ held: false, loopP99Ms: { p50: 30 } })
})

test('a process without event-loop samples is judged by memory and descriptors', () => {
  expect(
    growthOf(
      'web',
      samples(() => ({ loopP99Ms: undefined })),
      AIMS,
    ),
  ).toMatchObject({ held: true, loopP99Ms: null })
})
