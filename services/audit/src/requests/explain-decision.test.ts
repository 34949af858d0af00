import type { Decision } from '@tapeline/contracts/usage/events'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { expect, test } from 'vitest'
import { explainDecision } from './explain-decision.ts'

const TIME = new Date('2026-03-10T12:00:00.000Z')
const ASKED = { time: TIME, tier: 'free' as const, tiers: tierDocuments }
const decision = (given: Partial<Decision>): Decision => ({
  verdict: 'admitted',
  degraded: false,
  denied_by: [],
  retry_after_ms: 0,
  windows: [],
  ...given,
})
const minute = { policy: 'min' as const, used: 500, limit: 500, reset_ms: 7_300 }
const month = { policy: 'month' as const, used: 1_000, limit: 1_000, reset_ms: 86_400_000 }
const open = { policy: 'conc' as const, used: 1, limit: 1 }

test.each<{ name: string; given: Partial<Decision>; code: string | null; text: string }>([
  {
    name: 'one window',
    given: { verdict: 'denied', denied_by: ['min'], retry_after_ms: 7_300, windows: [minute] },
    code: 'limit.minute_exceeded',
    text: 'Denied by the minute window: 500 of 500 used; one passes at 12:00:07.300Z.',
  },
  {
    name: 'two windows, the later one on another day',
    given: { verdict: 'denied', denied_by: ['min', 'month'], retry_after_ms: 86_400_000, windows: [minute, month] },
    code: 'limit.month_exceeded',
    text:
      'Denied by the minute window: 500 of 500 used (one passes at 12:00:07.300Z) and by the month: 1000 of 1000 used ' +
      '(one passes at 2026-03-11T12:00:00.000Z). All of them let one pass at 2026-03-11T12:00:00.000Z.',
  },
  {
    name: 'a cap of the key',
    given: {
      verdict: 'denied',
      retry_after_ms: 2_000,
      windows: [{ ...minute, used: 40 }],
      key_denied_by: ['min'],
      key_windows: [{ policy: 'min', used: 5, limit: 5, reset_ms: 2_000 }],
    },
    code: 'limit.minute_exceeded',
    text: 'Denied by the minute window of this key: 5 of 5 used; one passes at 12:00:02.000Z.',
  },
  {
    name: 'open requests',
    given: { verdict: 'denied', denied_by: ['conc'], windows: [open] },
    code: 'limit.concurrency_exceeded',
    text: 'Denied by the concurrency limit: 1 of 1 requests were open; one passes as soon as one of them ends.',
  },
  {
    name: 'a revoked key',
    given: { verdict: 'refused' },
    code: 'api_key.revoked',
    text:
      'Refused before any limit was looked at: this API key had been revoked (api_key.revoked). ' +
      'It used nothing of the limits.',
  },
  {
    name: 'room everywhere, Redis away',
    given: {
      degraded: true,
      windows: [
        { ...month, used: 3 },
        { ...minute, used: 499 },
      ],
    },
    code: null,
    text:
      'Redis was away, so the gateway decided by its share of the limits. Admitted: every limit had room, the least of ' +
      'them the minute window: 499 of 500 used with this request.',
  },
])('$name', ({ given, code, text }) => {
  expect(explainDecision({ ...ASKED, code, decision: decision(given) }).text).toBe(text)
})

test('each window says what was used, what was left and when it gives something back', () => {
  const windows = [{ ...minute, used: 501 }, open]
  const explained = explainDecision({
    ...ASKED,
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
