import { afterEach, expect, test } from 'vitest'
import { i18n } from '../language/i18n.ts'
import { formatClock, formatDate, formatDateTime, formatMonth } from './date.ts'
import { formatDecimal } from './decimal.ts'
import { formatAgo, formatDuration, formatMilliseconds } from './duration.ts'
import { formatBytes, formatCount, formatPercent, formatRate, formatShortCount } from './number.ts'
import { splitNanoseconds } from './nanoseconds.ts'
import { formatMoney } from './price.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1K'],
  [4_213, '4.21K'],
  [38_640, '38.6K'],
  [99_960, '100K'],
  [286_400, '286K'],
  [999_499, '999K'],
  [999_500, '1M'],
  [1_420_000, '1.42M'],
  [1_284_530_771, '1,285M'],
])('a count of %i is abbreviated as %s', (count, text) => {
  expect(formatShortCount(count)).toBe(text)
})

test('counts in full are grouped', () => {
  expect(formatCount(1_284_530)).toBe('1,284,530')
})

test('a percentage is never rounded to a perfect one', () => {
  expect(formatPercent(0.994_62)).toBe('99.46%')
  expect(formatPercent(0.999_999)).toBe('99.99%')
  expect(formatPercent(0.000_001)).toBe('<0.01%')
  expect(formatPercent(1)).toBe('100%')
  expect(formatPercent(0)).toBe('0%')
})

test.each([
  [0, '0'],
  [0.000_109, '<0.01'],
  [0.238, '0.24'],
  [14.42, '14.4'],
  [999.98, '1,000'],
  [84_307, '84.3K'],
])('a rate of %d is shown in three digits as %s', (rate, text) => {
  expect(formatRate(rate)).toBe(text)
})

test('bytes carry their unit', () => {
  expect(formatBytes(0)).toBe('0 B')
  expect(formatBytes(842)).toBe('842 B')
  expect(formatBytes(12_345_678)).toBe('12.3 MB')
})

test('dates and times are in the requested time zone', () => {
  const time = '2026-11-20T20:31:07.204Z'
  expect(formatDate(time)).toBe('20 Nov 2026')
  expect(formatMonth(time)).toBe('Nov 2026')
  expect(formatDateTime(time)).toBe('20 Nov 2026, 20:31')
  expect(formatClock(time, 'America/New_York')).toBe('15:31:07')
  expect(formatDate('2026-11-20T23:30:00Z', 'Europe/Berlin')).toBe('21 Nov 2026')
  expect(formatDate('not a time')).toBe('N/A')
})

test('midnight is 00, not 24', () => {
  expect(formatClock('2026-11-20T00:00:00Z')).toBe('00:00:00')
})

test('a time always shows nine digits', () => {
  expect(splitNanoseconds('2026-11-20T20:31:07.204118552Z')).toEqual({ clock: '20:31:07.204', nanoseconds: '118552' })
  expect(splitNanoseconds('2026-11-20T20:31:07Z')).toEqual({ clock: '20:31:07.000', nanoseconds: '000000' })
})

test('durations use one unit and never claim more than has passed', () => {
  expect(formatDuration(59_999)).toBe('59 s')
  expect(formatDuration(3_599_999)).toBe('59 min')
  expect(formatDuration(24 * 3_600_000)).toBe('1 day')
  expect(formatAgo('2026-11-20T00:00:00Z', Date.parse('2026-11-20T00:00:04.900Z'))).toBe('4 s ago')
  expect(formatAgo('2026-11-23T00:00:00Z', Date.parse('2026-11-20T00:00:00Z'))).toBe('in 3 days')
})

test('latencies have three significant digits at most', () => {
  expect(formatMilliseconds(0.416)).toBe('0.42')
  expect(formatMilliseconds(23.44)).toBe('23.4')
  expect(formatMilliseconds(418.2)).toBe('418')
})

test('prices of plans have cents only when they need them', () => {
  expect(formatMoney(29, 'USD')).toBe('$29')
  expect(formatMoney(290 / 12, 'USD')).toBe('$24.17')
})

test('a decimal string is grouped without touching a digit', () => {
  expect(formatDecimal('91842.17000')).toBe('91,842.17000')
  expect(formatDecimal('0.00257')).toBe('0.00257')
  expect(formatDecimal('12345678901234567890.5')).toBe('12,345,678,901,234,567,890.5')
  expect(formatDecimal('1e5')).toBe('1e5')
})

afterEach(() => i18n.activate('en'))

test('numbers, prices and dates follow the language', () => {
  const written = (): string[] => [
    formatCount(1_284_530),
    formatShortCount(4_213),
    formatPercent(0.994_62),
    formatMoney(29.5, 'USD'),
    formatDecimal('91842.17000', i18n.locale),
    formatDateTime('2026-11-20T20:31:07.204Z'),
    formatBytes(12_345_678),
  ]
  i18n.load({ es: {}, fr: {} })
  i18n.activate('es')
  expect(written().map(plainBlanks)).toEqual([
    '1.284.530',
    '4,21 mil',
    '99,46 %',
    '29,50 US$',
    '91.842,17000',
    '20 nov 2026, 20:31',
    '12,3 MB',
  ])
  i18n.activate('fr')
  expect(written().map(plainBlanks)).toEqual([
    '1 284 530',
    '4,21 k',
    '99,46 %',
    '29,50 $US',
    '91 842,17000',
    '20 nov. 2026, 20:31',
    '12,3 Mo',
  ])
})

function plainBlanks(text: string): string {
  return text.replaceAll(/[\u00A0\u202F]/g, ' ')
}
