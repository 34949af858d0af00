import { expect, test } from 'vitest'
import { rangeOf, readFilter, reportQueryOf, writeFilter } from './metrics-filter.ts'

test('by default the page shows seven days without filters, with no parameters in the URL', () => {
  const filter = readFilter(new URLSearchParams())
  expect(filter).toEqual({ period: '7d', route: undefined, keyId: undefined })
  expect(writeFilter(filter).toString()).toBe('')
})

test('a filter is the same after it was written to and read from the URL', () => {
  const filter = { period: '24h', route: '/api/v1/trades/list', keyId: 'abc' } as const
  expect(readFilter(writeFilter(filter))).toEqual(filter)
})

test('a custom range is stored in the URL as instants; without an end it extends to now', () => {
  const custom = { from: '2026-11-20T10:00:00.000Z', to: '2026-11-20T11:00:00.000Z' }
  const filter = { period: '7d', custom, route: undefined, keyId: undefined } as const
  expect(readFilter(writeFilter(filter))).toEqual(filter)
  expect(rangeOf(filter)).toEqual(custom)
  const open = readFilter(new URLSearchParams('range=custom&from=2026-11-20T10:00:00Z'))
  expect(rangeOf(open)).toEqual({ from: custom.from })
  expect(rangeOf(readFilter(new URLSearchParams('range=24h')))).toEqual({ period: '24h' })
})

test.each([
  'range=custom&from=today',
  'range=custom&from=2026-11-20T10:00:00Z&to=2026-11-19T10:00:00Z',
  'range=3y',
  'route=/etc/passwd',
  'range=',
])('%s is ignored', (search) => {
  expect(readFilter(new URLSearchParams(search))).toEqual(readFilter(new URLSearchParams()))
})

test('the report is narrowed by status and outcome as well as by endpoint and key', () => {
  const filter = { period: '24h', route: '/api/v1/health', keyId: 'abc' } as const
  const query = { period: '24h', route: '/api/v1/health', apiKeyId: 'abc' }
  expect(reportQueryOf(filter)).toEqual(query)
  expect(reportQueryOf({ ...filter, status: '4xx', outcome: 'denied' })).toEqual({
    ...query,
    status: '4xx',
    outcome: 'denied',
  })
})
