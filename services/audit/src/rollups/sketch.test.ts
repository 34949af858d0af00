import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addValue, encodeSketch, RELATIVE_ERROR, type Sketch, SketchSum } from './sketch.ts'

const QUANTILES = [0, 0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 1]
/** From a microsecond to three days, small and large values alike. */
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

function sumOf(values: readonly number[]): SketchSum {
  const sum = new SketchSum()
  sum.addEncoded(encodeSketch(sketchOf(values)))
  return sum
}

test('a percentile is within one percent of the exact one', () => {
  fc.assert(
    fc.property(latencies, (values) => {
      const sorted = values.toSorted((a, b) => a - b)
      const found = sumOf(values).quantiles(QUANTILES) ?? []
      QUANTILES.forEach((quantile, n) => {
        const exact = sorted[Math.floor(quantile * (sorted.length - 1))] ?? Number.NaN
        expect(Math.abs((found[n] ?? Number.NaN) - exact)).toBeLessThanOrEqual(exact * RELATIVE_ERROR * (1 + 1e-9))
      })
    }),
    { seed: PROPERTY_SEED },
  )
})

test('concatenated sketches are the sketch of all their values', () => {
  fc.assert(
    fc.property(fc.array(latencies, { maxLength: 6 }), (parts) => {
      const merged = new SketchSum()
      merged.addEncoded(Buffer.concat(parts.map((values) => encodeSketch(sketchOf(values)))))
      expect(merged.encode()).toEqual(sumOf(parts.flat()).encode())
      const again = new SketchSum()
      again.addEncoded(merged.encode())
      expect(again.encode()).toEqual(merged.encode())
    }),
    { seed: PROPERTY_SEED },
  )
})

test('adding and subtracting a sketch has no effect', () => {
  fc.assert(
    fc.property(latencies, latencies, (stays, goes) => {
      const sum = sumOf(stays)
      sum.addEncoded(encodeSketch(sketchOf(goes)))
      sum.addEncoded(encodeSketch(sketchOf(goes)), -1)
      expect(sum.encode()).toEqual(sumOf(stays).encode())
      const all = sumOf(goes)
      all.add(sum)
      expect(all.count()).toBe(stays.length + goes.length)
    }),
    { seed: PROPERTY_SEED },
  )
})

test('counts beyond 32 bits are preserved', () => {
  const read = new SketchSum()
  read.addEncoded(encodeSketch(new Map([[700, 2 ** 40 + 3]])))
  expect(read.count()).toBe(2 ** 40 + 3)
})

test('an empty sketch has no percentiles; a truncated one or an impossible bucket is rejected', () => {
  expect(new SketchSum().quantiles([0.5])).toBeUndefined()
  for (const cut of [[5], [5, 0x81], [0x85], [5, 1, 5]]) {
    expect(() => new SketchSum().addEncoded(Buffer.from(cut))).toThrow('in the middle')
  }
  expect(() => new SketchSum().addEncoded(encodeSketch(new Map([[2_048, 1]])))).toThrow('bucket 2048')
})
