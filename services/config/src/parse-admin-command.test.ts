import { expect, test } from 'vitest'
import { parseAdminCommand } from './parse-admin-command.ts'

const id = crypto.randomUUID()
const limits = {
  requestsPerMinute: 1,
  requestsPerHour: 1,
  requestsPerDay: 1,
  requestsPerMonth: 1,
  burstLimit: 1,
  concurrentRequests: 1,
}

test.each([
  [['show', id], { command: 'show', account_id: id }],
  [['set-tier', id, 'pro'], { command: 'change', change: { account_id: id, tier: 'pro' } }],
  [['set-limits', id, JSON.stringify(limits)], { command: 'change', change: { account_id: id, rate_limits: limits } }],
  [['set-limits', id, 'null'], { command: 'change', change: { account_id: id, rate_limits: null } }],
])('%j is accepted', (args, expected) => {
  expect(parseAdminCommand(args)).toEqual(expected)
})

test.each([
  [[], 'Usage'],
  [['show', id, 'more'], 'Usage'],
  [['set-tier', id], 'Usage'],
  [['set-tier', id, 'pro', 'more'], 'Usage'],
  [['grant', id, 'pro'], 'Usage'],
  [['set-tier', 'me', 'pro'], 'UUID'],
  [['set-tier', id, 'gold'], 'free, basic, pro'],
  [['set-limits', id, '{'], 'JSON'],
])('%j is rejected', (args, message) => {
  expect(() => parseAdminCommand(args)).toThrow(message)
})

test.each([
  ['/', {}],
  ['/burstLimit', { ...limits, burstLimit: 0 }],
  ['/requestsPerYear', { ...limits, requestsPerYear: 1 }],
  ['/', 7],
])('limits invalid at %s are rejected with that place: %j', (field, wrong) => {
  const failure = expect.objectContaining({ errors: expect.arrayContaining([expect.objectContaining({ field })]) })
  expect(() => parseAdminCommand(['set-limits', id, JSON.stringify(wrong)])).toThrow(failure)
})
