import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import { expect, test } from 'vitest'
import { sentNumber } from '../limit-fields.ts'
import { planBody, planFormOf } from './plan-form.ts'
import { queryOfUsers, readUsersFilter, writeUsersFilter } from './users-filter.ts'
import { planInWords, roleEffects, statusEffects } from './what-changes.ts'

const limits = {
  burstLimit: 5,
  requestsPerMinute: 10,
  requestsPerHour: 100,
  requestsPerDay: 1_000,
  requestsPerMonth: 1_000,
  concurrentRequests: 1,
}
const subscription: SubscriptionRecord = {
  account_id: 'a',
  version: 4,
  tier: 'pro',
  anchor: '2026-11-01T00:00:00.000Z',
  trial_ends_at: null,
  tier_after_trial: null,
  rate_limits: null,
  time_zone: 'UTC',
}
const onTrial = { ...subscription, trial_ends_at: '2026-12-01T10:00:00.000Z', tier_after_trial: 'basic' as const }

test('the filter of accounts is read from the URL, without invalid values', () => {
  const search = new URLSearchParams('tab=users&search=ada&role=tester&status=gone&user=7')
  const filter = readUsersFilter(search)
  expect(filter).toEqual({ search: 'ada', role: 'tester', status: undefined })
  expect(writeUsersFilter(filter, '7').toString()).toBe('tab=users&search=ada&role=tester&user=7')
  expect(queryOfUsers({ ...filter, search: '  ' })).toEqual({ role: 'tester' })
})

test('a dialog states the immediate effect of a role or status, and the account it applies to', () => {
  expect(roleEffects('user', true).at(-1)).toMatch(/your own account/)
  expect(roleEffects('admin', true)).toHaveLength(2)
  expect(statusEffects('inactive', false).join(' ')).toMatch(
    /From their next request on, every gateway rejects.*Nothing is deleted/,
  )
})

test('a plan shows when its trial ends and which plan follows', () => {
  expect(planInWords(subscription, 'UTC')).toBe('Pro')
  expect(planInWords(onTrial, 'UTC')).toBe('Pro, trial until 1 Dec 2026, 10:00, then Basic')
})

test('only changed fields of a plan are sent, so that limits set during a trial do not end it', () => {
  const form = planFormOf(onTrial, limits)
  expect(planBody(form, onTrial)).toBeUndefined()
  const own = { ...form, hasOwnLimits: true, limits: { ...form.limits, burstLimit: '50' } }
  expect(planBody(own, onTrial)).toEqual({ version: 4, rateLimits: { ...limits, burstLimit: 50 } })
  expect(planBody({ ...form, tier: 'pro' }, onTrial)).toEqual({ version: 4, tier: 'pro' })
})

test('own limits of streams, which the form does not show, are kept', () => {
  const withStreams = { ...subscription, rate_limits: { ...limits, streamConnections: 7, streamMessagesPerSecond: 70 } }
  const form = planFormOf(withStreams, limits)
  expect(planBody(form, withStreams)).toBeUndefined()
  const changed = { ...form, limits: { ...form.limits, burstLimit: '50' } }
  const rateLimits = { ...limits, burstLimit: 50, streamConnections: 7, streamMessagesPerSecond: 70 }
  expect(planBody(changed, withStreams)).toEqual({ version: 4, rateLimits })
})

test('custom limits are sent with another tier, because a lower one removes them otherwise', () => {
  const ownOnes = { ...subscription, rate_limits: { ...limits, streamConnections: 7 } }
  const form = planFormOf(ownOnes, limits)
  expect(planBody({ ...form, tier: 'basic' }, ownOnes)).toEqual({
    version: 4,
    tier: 'basic',
    rateLimits: ownOnes.rate_limits,
  })
  expect(planBody({ ...form, tier: 'basic', hasOwnLimits: false }, ownOnes)).toMatchObject({ rateLimits: null })
})

test("account-specific limits are removed with null, and text that is not a number is sent for the server's validation", () => {
  const ownOnes = { ...subscription, rate_limits: limits }
  const form = planFormOf(ownOnes, limits)
  expect(form.hasOwnLimits).toBe(true)
  expect(planBody({ ...form, hasOwnLimits: false, reason: ' over ' }, ownOnes)).toEqual({
    version: 4,
    rateLimits: null,
    reason: 'over',
  })
  expect([sentNumber(' 12 '), sentNumber(''), sentNumber('many')]).toEqual([12, null, 'many'])
})
