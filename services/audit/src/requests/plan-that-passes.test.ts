import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import type { Decision } from '@tapeline/contracts/usage/events'
import { expect, test } from 'vitest'
import { planThatPasses } from './plan-that-passes.ts'

const denial = (overrides: Partial<Decision>): Decision => ({
  verdict: 'denied',
  degraded: false,
  denied_by: ['min'],
  retry_after_ms: 0,
  windows: [{ policy: 'min', used: 10, limit: 10 }],
  ...overrides,
})

test('a denial names the smallest plan with room in each window that denied it', () => {
  expect(planThatPasses(denial({}), 'free', tierDocuments)).toBe('basic')
  const both = denial({
    denied_by: ['min', 'burst'],
    windows: [
      { policy: 'min', used: 10, limit: 10 },
      { policy: 'burst', used: 20, limit: 5 },
    ],
  })
  expect(planThatPasses(both, 'free', tierDocuments)).toBe('pro')
  expect(planThatPasses(denial({ windows: [{ policy: 'min', used: 100, limit: 100 }] }), 'basic', tierDocuments)).toBe(
    'pro',
  )
})

test("no plan is named where none helps: on the largest plan, for a key's own limit, for an allowed request", () => {
  expect(planThatPasses(denial({}), 'pro', tierDocuments)).toBeNull()
  expect(planThatPasses(denial({ key_denied_by: ['min'] }), 'free', tierDocuments)).toBeNull()
  expect(planThatPasses(denial({ verdict: 'admitted', denied_by: [] }), 'free', tierDocuments)).toBeNull()
  expect(planThatPasses(denial({}), 'free', undefined)).toBeNull()
})
