import { expect, test } from 'vitest'
import { readExpiry } from './read-expiry.ts'

const now = new Date('2026-03-01T12:00:00Z')

test.each([
  ['2026-03-01', '2026-03-01T23:59:59.999Z'],
  ['2026-12-31', '2026-12-31T23:59:59.999Z'],
  ['2026-03-01T12:00:01Z', '2026-03-01T12:00:01.000Z'],
  ['2026-03-02T01:00:00+02:00', '2026-03-01T23:00:00.000Z'],
])('%s ends at %s', (text, expected) => {
  expect(readExpiry(text, now)?.toISOString()).toBe(expected)
})

test.each([null, undefined])('%s never expires', (text) => {
  expect(readExpiry(text, now)).toBeNull()
})

test.each(['2026-02-28', '2026-03-01T12:00:00Z', '2020-01-01T00:00:00Z'])('%s has passed', (text) => {
  const failure = expect.objectContaining({
    code: 'api_key.expiry_in_past',
    status: 400,
    errors: [{ field: '/expires_at', message: 'The expiration date is in the past.' }],
  })
  expect(() => readExpiry(text, now)).toThrow(failure)
})

test('an invalid time is rejected with both accepted forms', () => {
  const message = 'Enter a date (2026-03-12: until the end of that day, UTC) or a date and time (2026-03-12T15:04:05Z).'
  expect(() => readExpiry('2026-06-30T23:59:60Z', now)).toThrow(
    expect.objectContaining({ code: 'request.invalid', message }),
  )
})
