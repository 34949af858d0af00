import { expect, test } from 'vitest'
import { isTransient } from './is-transient.ts'

const failure = (code: string, name = 'Error') => Object.assign(new Error('failed'), { code, name })

test.each([
  failure('08001'),
  failure('08006'),
  failure('25006'),
  failure('57P01'),
  failure('40001'),
  failure('40P01'),
  failure('55P03'),
  failure('53300'),
  failure('57014'),
  failure('42P01'),
  failure('ECONNREFUSED'),
  failure('', 'KafkaJSNumberOfRetriesExceeded'),
  new Error('Connection terminated unexpectedly'),
  new Error('timeout exceeded when trying to connect'),
])('%o is retried', (error) => {
  expect(isTransient(error)).toBe(true)
})

test.each([
  failure('21000'),
  failure('54000'),
  failure('22021'),
  failure('22003'),
  failure('23514'),
  new Error('no such account'),
  'a string',
  undefined,
])('%o is caused by the message', (error) => {
  expect(isTransient(error)).toBe(false)
})
