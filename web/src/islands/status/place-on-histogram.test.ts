import { expect, test } from 'vitest'
import { filledBuckets, placeOnHistogram } from './place-on-histogram.ts'

const histogram = [
  { up_to_ms: 1, count: 0 },
  { up_to_ms: 5, count: 3 },
  { up_to_ms: 10, count: 0 },
  { up_to_ms: 100, count: 4 },
  { up_to_ms: null, count: 1 },
]

test('buckets keep their lower bound when empty ones before them are left out', () => {
  expect(filledBuckets(histogram)[0]).toEqual({ from_ms: 1, up_to_ms: 5, count: 3 })
  expect(filledBuckets(histogram)).toHaveLength(4)
  expect(filledBuckets([{ up_to_ms: 1, count: 0 }])).toEqual([])
})

test.each([
  [1, 0],
  [3, 0.125],
  [5, 0.25],
  [55, 0.625],
  [100, 0.75],
  [9_999, 0.875],
])('%i ms is placed proportionally inside its bucket', (ms, place) => {
  expect(placeOnHistogram(filledBuckets(histogram), ms)).toBe(place)
})

test('a percentile outside the filled buckets is placed at their end', () => {
  const bounded = filledBuckets(histogram.slice(0, 2))
  expect(placeOnHistogram(bounded, 0.5)).toBe(0)
  expect(placeOnHistogram(bounded, 5.1)).toBe(1)
})
