import type { UsagePoint } from '@tapeline/contracts/audit/http'
import { expect, test } from 'vitest'
import { hourTape } from './hour-tape.ts'

function point(from: string, counts: Partial<UsagePoint>): UsagePoint {
  return {
    from,
    to: from,
    partial: false,
    total: 0,
    success: 0,
    failed: 0,
    denied: 0,
    client_errors: 0,
    server_errors: 0,
    latency_ms: null,
    ...counts,
  }
}

test('an hour without requests shows a message', () => {
  expect(hourTape([point('a', {}), point('b', {})])).toMatchObject({ isIdle: true, summary: 'no requests' })
})

test('the newest minute comes first, and the worst outcome names the tick below the line', () => {
  const tape = hourTape([
    point('a', { total: 4, success: 4 }),
    point('b', { total: 3, success: 1, failed: 2, denied: 2 }),
    point('c', { total: 2, failed: 2, denied: 1, server_errors: 1 }),
  ])
  expect(tape.slots.map(({ key, kind }) => [key, kind])).toEqual([
    ['c', 'server'],
    ['b', 'throttled'],
    ['a', undefined],
  ])
  expect(tape.slots[2]).toEqual({ key: 'a', up: 1 })
  expect(tape.summary).toBe('5 served, 4 failed (3 by a limit)')
})

test('the hour counts failures as the key’s total does: client and server errors and requests that a limit rejected', () => {
  const hour = [
    point('a', { total: 3, success: 1, failed: 2, client_errors: 1, server_errors: 1 }),
    point('b', { total: 2, failed: 2, denied: 2 }),
  ]
  expect(hourTape(hour).summary).toBe('1 served, 4 failed (2 by a limit)')
  expect(hourTape([hour[0] ?? point('a', {})]).summary).toBe('1 served, 2 failed')
})

test('one request is visible next to a thousand', () => {
  const tape = hourTape([point('a', { total: 1000, success: 1000 }), point('b', { total: 1, success: 1 })])
  expect(tape.slots[0]?.up).toBeGreaterThan(0.1)
})
