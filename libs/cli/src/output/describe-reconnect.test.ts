import { expect, test } from 'vitest'
import { describeReconnect } from './describe-reconnect.ts'

test('a reconnect prints its cause and its pause', () => {
  const error = new Error('The server closed the connection.')
  expect([
    describeReconnect({ type: 'reconnecting', error, pauseMs: 2_000 }),
    describeReconnect({ type: 'reconnecting', error, pauseMs: 13_444 }),
    describeReconnect({ type: 'reconnecting', error: undefined, pauseMs: 250.4 }),
    describeReconnect({ type: 'heartbeat' }),
  ]).toEqual([
    'connection lost: The server closed the connection, trying again in 2 s',
    'connection lost: The server closed the connection, trying again in 13.4 s',
    'connection lost, trying again in 250 ms',
    undefined,
  ])
})
