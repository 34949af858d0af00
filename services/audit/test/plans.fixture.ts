import type { ReadSubscription } from '../src/custom-reports/make-due-reports.ts'

/** Months begin on the 3rd; the plan is Free without custom limits. */
export const testSubscription: ReadSubscription = async (accountId) => ({
  account_id: accountId,
  version: 1,
  tier: 'free',
  anchor: '2026-01-03T08:00:00.000Z',
  trial_ends_at: null,
  rate_limits: null,
  time_zone: 'UTC',
})
