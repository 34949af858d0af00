import { expect, test } from 'vitest'
import { readFilter, writeFilter } from './metrics-filter.ts'

test('the page begins with seven days of everything, and that is a plain address', () => {
  const filter = readFilter(new URLSearchParams())
  expect(filter).toEqual({ period: '7d', route: undefined, keyId: undefined })
  expect(writeFilter(filter).toString()).toBe('')
})

test('a filter survives the way through an address', () => {
  const filter = { period: '24h', route: '/api/v1/trades/list', keyId: 'abc' } as const
  expect(readFilter(writeFilter(filter))).toEqual(filter)
})

test.each(['range=3y', 'route=/etc/passwd', 'range='])('%s is as if it were not there', (search) => {
  expect(readFilter(new URLSearchParams(search))).toEqual(readFilter(new URLSearchParams()))
})
