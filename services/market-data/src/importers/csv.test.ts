import { expect, test } from 'vitest'
import { levelsOf } from '../venues/venue-levels.ts'
import { sizeOf, splitCsv } from './csv.ts'

test.each([
  ['a,b', ['a', 'b']],
  ['"a,b",""', ['a,b', '']],
  [',"btc,usd",1', ['', 'btc,usd', '1']],
  ['1,"a ""quoted"" note",', ['1', 'a "quoted" note', '']],
  [',,"x"', ['', '', 'x']],
])('%s is split at the commas outside quotes', (line, fields) => {
  expect(splitCsv(line)).toEqual(fields)
})

test.each(['"a', 'a,"b', '"a"b,c', 'a "b" c'])('%s has a quote that does not end', (line) => {
  expect(() => splitCsv(line)).toThrow('has a quote that does not end')
})

test('a size is zero or more', () => {
  expect([sizeOf('size', '0.0'), sizeOf('size', '1e-7')]).toEqual(['0', '0.0000001'])
  expect(() => sizeOf('size', '-1')).toThrow('size is below zero: -1')
  expect(() => levelsOf([['10', '-0.5']], 'bids')).toThrow('size is below zero: -0.5')
})
