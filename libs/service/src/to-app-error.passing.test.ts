import { expect, test } from 'vitest'
import { toAppError } from './to-app-error.ts'

const withCode = (code: string) => Object.assign(new Error('inside'), { code })

test.each([
  withCode('55P03'),
  withCode('57P01'),
  withCode('08001'),
  withCode('25006'),
  withCode('ECONNREFUSED'),
  new Error('Connection terminated unexpectedly'),
  new Error('Client has encountered a connection error and is not queryable'),
])('a temporary database error is a retryable 503: %s', (error) => {
  const failure = toAppError(error)
  expect(failure).toMatchObject({ code: 'service.unavailable', status: 503, headers: { 'retry-after': '1' } })
  expect(failure.message).not.toContain('inside')
})

test.each([withCode('23505'), withCode('42P01'), new Error('inside'), 'inside', undefined])(
  'a programming error is a 500: %s',
  (error) => {
    expect(toAppError(error)).toMatchObject({ code: 'service.failed', status: 500 })
  },
)
