import { expect, test } from 'vitest'
import { formatLogLine } from './log-line.ts'

test('a JSON line is printed as service, time, level, message and fields', () => {
  const line = JSON.stringify({
    level: 'warn',
    time: '2026-01-02T03:04:05.678',
    service: 'audit',
    msg: 'lag',
    topic: 'usage',
    lag_ms: 12,
    req: { method: 'GET' },
  })
  expect(formatLogLine('audit', line, 'plain')).toBe(
    'audit        03:04:05.678  warn   lag  topic=usage lag_ms=12 req.method=GET',
  )
})

test('an error shows its message and where it came from', () => {
  const err = {
    type: 'Error',
    message: 'no such table',
    code: '42P01',
    stack:
      'Error: no such table\n    at one (a.ts:1:1)\n    at lib (/x/node_modules/pg/index.js:2:2)\n    at two (b.ts:2:2)',
  }
  const line = JSON.stringify({ level: 'error', time: 0, msg: 'failed', err })
  expect(formatLogLine('config', line, 'plain').split('\n')).toEqual([
    expect.stringContaining('error  failed  error="no such table" code=42P01'),
    expect.stringContaining('at one (a.ts:1:1)'),
    expect.stringContaining('at two (b.ts:2:2)'),
  ])
})

test('a retry is reported in one line', () => {
  const err = { message: 'connect ECONNREFUSED', stack: 'Error\n    at one (a.ts:1:1)' }
  const line = JSON.stringify({ level: 'warn', time: 0, msg: 'trying again', err })
  expect(formatLogLine('config', line, 'plain')).toMatch(/trying again {2}error="connect ECONNREFUSED"$/)
})

test('lines that are not JSON are printed unchanged', () => {
  expect(formatLogLine('web', '(node:1) Warning: {', 'plain')).toBe('web          (node:1) Warning: {')
  expect(formatLogLine('web', '{ half', 'plain')).toBe('web          { half')
})

test('colors are printed only if requested', () => {
  const line = JSON.stringify({ level: 'info', time: 0, msg: 'ready' })
  expect(formatLogLine('web', line, 'color')).toContain('\u001B[32minfo')
  expect(formatLogLine('web', line, 'plain')).not.toContain('\u001B')
})
