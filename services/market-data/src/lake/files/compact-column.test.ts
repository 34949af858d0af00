import { expect, test } from 'vitest'
import { compactColumn } from './compact-column.ts'

const TIMES = BigInt64Array.of(10n, 20n, 30n)

test('numbers are kept in typed arrays with the same values', () => {
  expect(compactColumn({ kind: 'price' }, [1n, 2n, -3n], TIMES)).toEqual({
    values: BigInt64Array.of(1n, 2n, -3n),
    bytes: 24,
  })
  expect(compactColumn({ kind: 'int32' }, [1, 2, 3], TIMES).values).toEqual(Int32Array.of(1, 2, 3))
  expect(compactColumn({ kind: 'boolean' }, [true, false, true], TIMES).values).toEqual(Uint8Array.of(1, 0, 1))
})

test('a receive time that is null is that of the event', () => {
  expect(compactColumn({ kind: 'receive-time' }, [null, 25n, undefined], TIMES).values).toEqual(
    BigInt64Array.of(10n, 25n, 30n),
  )
})

test('columns of one word or of nothing share one array; others stay as they are', () => {
  const one = compactColumn({ kind: 'word' }, ['v', 'v', 'v'], TIMES)
  expect(one).toEqual({ values: ['v', 'v', 'v'], bytes: 0 })
  expect(compactColumn({ kind: 'word' }, ['v', 'v', 'v'], TIMES).values).toBe(one.values)
  expect(compactColumn({ kind: 'word' }, ['null', 'null', 'null'], TIMES).values).toEqual(['null', 'null', 'null'])
  const nothing = compactColumn({ kind: 'word', isNullable: true }, [null, null, null], TIMES)
  expect(nothing.values).toEqual([null, null, null])
  const sides = ['b', 's', 'b']
  expect(compactColumn({ kind: 'word' }, sides, TIMES).values).toBe(sides)
  const nullable = [1, null, 2]
  expect(compactColumn({ kind: 'int32', isNullable: true }, nullable, TIMES).values).toBe(nullable)
})
