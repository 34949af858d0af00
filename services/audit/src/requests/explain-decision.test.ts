import type { Decision } from '@tapeline/contracts/usage/events'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { expect, test } from 'vitest'
import { explainDecision } from './explain-decision.ts'

const TIME = new Date('2026-03-10T12:00:00.000Z')
const REQUEST = {
  time: TIME,
  route: '/api/v1/trades/list',
  status: 200,
  hasReachedService: true,
  rejectedFields: [],
  tier: 'free' as const,
  tiers: tierDocuments,
}
const decision = (overrides: Partial<Decision>): Decision => ({
  verdict: 'admitted',
  degraded: false,
  denied_by: [],
  retry_after_ms: 0,
  windows: [],
  ...overrides,
})
const minute = { policy: 'min' as const, used: 500, limit: 500, reset_ms: 7_300 }
const month = { policy: 'month' as const, used: 1_000, limit: 1_000, reset_ms: 86_400_000 }
const open = { policy: 'conc' as const, used: 1, limit: 1 }

test.each<{ name: string; overrides: Partial<Decision>; code: string | null; text: string }>([
  {
    name: 'one window',
    overrides: { verdict: 'denied', denied_by: ['min'], retry_after_ms: 7_300, windows: [minute] },
    code: 'limit.minute_exceeded',
    text:
      'Rejected: 500 of 500 requests used in the last minute. The next request was possible at 12:00:07.300Z. ' +
      'It did not count against any limit.',
  },
  {
    name: 'two windows, the later one on another day',
    overrides: { verdict: 'denied', denied_by: ['min', 'month'], retry_after_ms: 86_400_000, windows: [minute, month] },
    code: 'limit.month_exceeded',
    text:
      'Rejected: 500 of 500 requests used in the last minute; 1000 of 1000 requests used this month. ' +
      'The next request was possible at 2026-03-11T12:00:00.000Z. It did not count against any limit.',
  },
  {
    name: 'a cap of the key',
    overrides: {
      verdict: 'denied',
      retry_after_ms: 2_000,
      windows: [{ ...minute, used: 40 }],
      key_denied_by: ['min'],
      key_windows: [{ policy: 'min', used: 5, limit: 5, reset_ms: 2_000 }],
    },
    code: 'limit.minute_exceeded',
    text:
      'Rejected: 5 of 5 requests used in the last minute (limit of this key). ' +
      'The next request was possible at 12:00:02.000Z. It did not count against any limit.',
  },
  {
    name: 'open requests',
    overrides: { verdict: 'denied', denied_by: ['conc'], windows: [open] },
    code: 'limit.concurrency_exceeded',
    text:
      'Rejected: 1 of 1 concurrent requests. The next request is possible when an open one ends. ' +
      'It did not count against any limit.',
  },
  {
    name: 'a revoked key',
    overrides: { verdict: 'refused' },
    code: 'api_key.revoked',
    text:
      'Rejected before any limit was checked: this API key had been revoked (api_key.revoked). ' +
      'It did not count against any limit.',
  },
  {
    name: 'allowed while Redis is unavailable',
    overrides: {
      degraded: true,
      windows: [
        { ...month, used: 3 },
        { ...minute, used: 499 },
      ],
    },
    code: null,
    text:
      'Redis was unavailable, so the gateway applied its share of the limits. ' +
      'Allowed. Tightest limit: 499 of 500 requests used in the last minute.',
  },
])('$name', ({ overrides, code, text }) => {
  expect(explainDecision({ ...REQUEST, code, decision: decision(overrides) }).text).toBe(text)
})

test('the tightest limit of an allowed request is the one with the smallest remaining proportion', () => {
  const windows = [
    { policy: 'burst' as const, used: 1, limit: 5 },
    { policy: 'month' as const, used: 900, limit: 1_000 },
  ]
  expect(explainDecision({ ...REQUEST, code: null, decision: decision({ windows }) }).text).toBe(
    'Allowed. Tightest limit: 900 of 1000 requests used this month.',
  )
})

const TOO_HIGH = { field: '/limit', rule: 'maximum', limit: 1_000 }

test.each([
  ['one field', [TOO_HIGH], 400, 'Rejected by market-data: `limit` must be 1000 or less.'],
  [
    'two fields',
    [TOO_HIGH, { field: '/end', rule: 'laterThan', limit: 'start' }],
    400,
    'Rejected by market-data: `limit` must be 1000 or less; `end` must be later than start.',
  ],
  ['the whole body', [{ field: '/', rule: 'required' }], 400, 'Rejected by market-data: The body is required.'],
  [
    'a field without a rule',
    [{ field: '/cursor' }],
    400,
    'Rejected by market-data (request.invalid): `cursor` was not accepted.',
  ],
  ['no field', [], 400, 'Allowed by every limit. Answered by market-data with 400 request.invalid.'],
  ['a disconnect', [], 499, 'Allowed. The client disconnected before the response was complete.'],
])('an allowed request rejected for %s is explained by it', (_name, rejectedFields, status, text) => {
  const request = { ...REQUEST, rejectedFields, status, code: 'request.invalid' }
  const explained = explainDecision({ ...request, decision: decision({ windows: [{ ...minute, used: 1 }] }) })
  expect(explained.text).toBe(text)
  expect(explained.rejected_fields.map(({ field, rule }) => ({ field, rule }))).toEqual(
    rejectedFields.map(({ field, rule }: { field: string; rule?: string }) => ({ field, rule })),
  )
})

test('an error of the gateway itself is not attributed to a service', () => {
  const request = { ...REQUEST, status: 503, code: 'service.unavailable', hasReachedService: false }
  expect(explainDecision({ ...request, decision: decision({}) }).text).toBe(
    'Allowed by every limit. Answered by the gateway with 503 service.unavailable.',
  )
})

test('each window reports its use, its remainder and when it frees capacity', () => {
  const windows = [{ ...minute, used: 501 }, open]
  const explained = explainDecision({
    ...REQUEST,
    code: null,
    decision: decision({ verdict: 'denied', denied_by: ['min'], retry_after_ms: 9_000, windows }),
  })
  expect(explained).toMatchObject({ passes_at: '2026-03-10T12:00:09.000Z', denied_by: ['min'], would_pass_with: null })
  expect(explained.windows).toEqual([
    {
      policy: 'min',
      name: 'minute window',
      used: 501,
      limit: 500,
      remaining: 0,
      has_denied: true,
      resets_at: '2026-03-10T12:00:07.300Z',
    },
    {
      policy: 'conc',
      name: 'concurrency limit',
      used: 1,
      limit: 1,
      remaining: 0,
      has_denied: false,
      resets_at: null,
    },
  ])
})
