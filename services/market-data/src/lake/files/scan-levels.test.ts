import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalDecimal } from '../../decimal.ts'
import { digitsOf, toUnits } from '../../decimal-units.ts'
import { scanLevels, unitsOf } from './scan-levels.ts'

const SCALE = 12
const decimal = fc.oneof(
  fc.tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.nat({ max: 6 })).map(([units, scale]) => {
    const text = (units / 10 ** scale).toFixed(scale)
    return canonicalDecimal(text) ?? text
  }),
  fc.constantFrom('0', '0.000000001', '123456789012345', '99999.9999999999'),
)
const levels = fc.array(fc.tuple(decimal, decimal), { maxLength: 700 })

test('levels are read as JSON reads them, in units of any scale that they fit', () => {
  fc.assert(
    fc.property(levels, (levelPairs) => {
      const scanned = scanLevels(JSON.stringify(levelPairs))
      if (scanned === undefined) throw new Error('the levels were not read')
      const [prices, sizes] = [levelPairs.map(([price]) => price), levelPairs.map(([, size]) => size)]
      expect(unitsOf(scanned, 0, SCALE)).toEqual(prices.map((price) => toUnits(price, SCALE)))
      expect(unitsOf(scanned, 1, SCALE)).toEqual(sizes.map((size) => toUnits(size, SCALE)))
      const most = (texts: string[], part: 'whole' | 'fraction') =>
        Math.max(0, ...texts.map((text) => digitsOf(text)?.[part] ?? -1))
      expect(scanned).toMatchObject({
        priceWhole: most(prices, 'whole'),
        priceFraction: most(prices, 'fraction'),
        sizeWhole: most(sizes, 'whole'),
        sizeFraction: most(sizes, 'fraction'),
      })
    }),
    { seed: PROPERTY_SEED, numRuns: 200 },
  )
})

test.each([
  '',
  '[',
  '[["1","2"]',
  '[["1","2"]] ',
  '[["1","2"],]',
  '[["1"]]',
  '[["1","2","3"]]',
  '[["01","2"]]',
  '[["1.0","2"]]',
  '[["1.","2"]]',
  '[[".5","2"]]',
  '[["-0","2"]]',
  '[["1e3","2"]]',
  '[["1","2",]]',
  '[[1,2]]',
  '[ ["1","2"]]',
  '[["1234567890123456","2"]]',
  '[["","2"]]',
  '[["1.2.3","2"]]',
])('%j is left to the fallback reader', (text) => {
  expect(scanLevels(text)).toBeUndefined()
})
