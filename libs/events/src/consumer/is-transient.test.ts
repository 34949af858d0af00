import { createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { testServers } from '@tapeline/testing/test-servers'
import { expect, test } from 'vitest'
import { isTransient } from './is-transient.ts'

/** As @tapeline/objects reports it. */
const storeFailure = (kind: string) => Object.assign(new Error('failed'), { name: 'StoreError', failure: kind })
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
  storeFailure('unavailable'),
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
  storeFailure('incomplete'),
  new Error('no such account'),
  'a string',
  undefined,
])('%o is caused by the message', (error) => {
  expect(isTransient(error)).toBe(false)
})

test('a transaction that PostgreSQL ended because a busy process left it idle is retried', async () => {
  const { databaseUrl: url } = testServers()
  const pool = createPool({ url, connectionsMax: 1, applicationName: 'idle transaction', ...LONG_TIMEOUTS })
  const client = await pool.connect()
  const isEnded = new Promise((resolve) => client.once('end', resolve))
  await client.query('begin')
  await client.query('set idle_in_transaction_session_timeout = 20')
  await isEnded
  const error: unknown = await client.query('select 1').catch((cause: unknown) => cause)
  client.release(true)
  await pool.end()
  expect(String(error)).toContain('not queryable')
  expect(isTransient(error)).toBe(true)
})
