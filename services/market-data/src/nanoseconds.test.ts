import { expect, test } from 'vitest'
import {
  compareNanoseconds,
  dayName,
  dayOf,
  dayStart,
  formatRfc3339,
  NANOSECONDS_MAX,
  parseTime,
} from './nanoseconds.ts'

test.each([
  ['2024-08-08T23:54:14Z', 1723161254000000000n],
  ['2024-08-08T23:54:14.087896568Z', 1723161254087896568n],
  ['2024-08-08t23:54:14.5z', 1723161254500000000n],
  ['2024-08-09T01:54:14+02:00', 1723161254000000000n],
  ['2024-08-08', 1723075200000000000n],
  ['1723161254087896568', 1723161254087896568n],
  ['2024-02-29', 1709164800000000000n],
])('%s is read to the nanosecond', (text, nanoseconds) => {
  expect(parseTime(text)).toBe(nanoseconds)
})

test.each([
  '2024-02-30',
  '2023-02-29T00:00:00Z',
  '2024-08-08T24:00:00Z',
  '2024-08-08T23:54:60Z',
  '2024-08-08T23:54:14',
  '2024-08-08 23:54:14Z',
  '2024-08-08T23:54:14.1234567890Z',
  '1969-12-31',
  '9999-01-01',
  '99999999999999999999',
  'yesterday',
])('%s is not a time', (text) => {
  expect(parseTime(text)).toBeUndefined()
})

test.each([
  ['1723161254087896568', '2024-08-08T23:54:14.087896568Z'],
  ['1723161255342000000', '2024-08-08T23:54:15.342000000Z'],
  ['5', '1970-01-01T00:00:00.000000005Z'],
  [String(NANOSECONDS_MAX), '2262-04-11T23:47:16.854775807Z'],
])('%s is written with nine fraction digits', (digits, text) => {
  expect(formatRfc3339(digits)).toBe(text)
  expect(parseTime(text)).toBe(BigInt(digits))
})

test('days end at midnight UTC', () => {
  expect(dayName(dayOf('1723161599999999999'))).toBe('20240808')
  expect(dayName(dayOf('1723161600000000000'))).toBe('20240809')
  expect(dayStart(dayOf('1723161600000000001'))).toBe(1723161600000000000n)
})

test('digit strings are ordered as numbers', () => {
  expect(['10', '9', '1723161254087896568', '1723161254087896567'].toSorted(compareNanoseconds)).toEqual([
    '9',
    '10',
    '1723161254087896567',
    '1723161254087896568',
  ])
})
