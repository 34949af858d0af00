import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addValue, countOf, encodeSketch, mergeEncoded, quantilesOf, RELATIVE_ERROR, type Sketch } from './sketch.ts'

const QUANTILES = [0, 0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 1]
/** From a microsecond to three days, small values and large ones alike. */
const latencies = fc.array(
  fc.double({ min: 0, max: 26, noNaN: true }).map((power) => Math.ceil(Math.exp(power))),
  {
    minLength: 1,
    maxLength: 400,
  },
)

function sketchOf(values: readonly number[]): Sketch {
  const sketch: Sketch = new Map()
  for (const value of values) addValue(sketch, value)
  return sketch
}

test('a percentile is within one percent of the exact one', () => {
  fc.assert(
    fc.property(latencies, (values) => {
      const sorted = values.toSorted((a, b) => a - b)
      const found = quantilesOf(sketchOf(values), QUANTILES) ?? []
      QUANTILES.forEach((quantile, n) => {
        const exact = sorted[Math.floor(quantile * (sorted.length - 1))] ?? Number.NaN
        expect(Math.abs((found[n] ?? Number.NaN) - exact)).toBeLessThanOrEqual(exact * RELATIVE_ERROR * (1 + 1e-9))
      })
    }),
    { seed: PROPERTY_SEED },
  )
})

test('written one after the other, sketches are the sketch of all their values', () => {
  fc.assert(
    fc.property(fc.array(latencies, { maxLength: 6 }), (parts) => {
      const merged: Sketch = new Map()
      mergeEncoded(merged, Buffer.concat(parts.map((values) => encodeSketch(sketchOf(values)))))
      expect(merged).toEqual(sketchOf(parts.flat()))
      const again: Sketch = new Map()
      mergeEncoded(again, encodeSketch(merged))
      expect(again).toEqual(merged)
    }),
    { seed: PROPERTY_SEED },
  )
})

test('counts beyond 32 bits survive being written', () => {
  const read: Sketch = new Map()
  mergeEncoded(read, encodeSketch(new Map([[700, 2 ** 40 + 3]])))
  expect(countOf(read)).toBe(2 ** 40 + 3)
})

test('no values, no percentile; a sketch that was cut off is not read', () => {
  expect(quantilesOf(new Map(), [0.5])).toBeUndefined()
  expect(() => mergeEncoded(new Map(), Buffer.from([5]))).toThrow('in the middle')
})
