import type { Pricing } from '@tapeline/contracts/config/http'
import type { TierDocument } from '@tapeline/contracts/config/tiers'
import { expect, test } from 'vitest'
import { i18n } from '../../language/i18n.ts'
import { fittingPlan, verdictOn } from './fit-plan.ts'
import { positionOf, POSITION_MAX, scaleFor, ticksOf, valueAt } from './load-scale.ts'
import { PLAN_GROUPS } from './plan-rows.ts'
import { discountPercent, priceOfPlan } from './price-of-plan.ts'

const billing = { monthlyPrice: 29, yearlyPrice: 290, yearlyDiscount: 17, currency: 'USD', trialPeriod: 14 }

test('a price of 0 is displayed as Custom', () => {
  const free = { ...billing, monthlyPrice: 0, yearlyPrice: 0 }
  expect(priceOfPlan(free, 'monthly')).toEqual({ price: 'Custom', unit: undefined, note: undefined })
  expect(priceOfPlan(free, 'yearly').price).toBe('Custom')
})

test('the yearly price says what it comes to each month', () => {
  expect(priceOfPlan(billing, 'monthly')).toEqual({ price: '$29', unit: 'per month', note: undefined })
  expect(priceOfPlan(billing, 'yearly')).toEqual({
    price: '$290',
    unit: 'per year',
    note: '$24.17 a month, instead of $29',
  })
})

test('the discount comes from the plan, and is 20 percent when it says none', () => {
  expect(discountPercent(billing)).toBe(17)
  expect(discountPercent({ monthlyPrice: 29 })).toBe(20)
})

const planWith = (requestsPerMinute: number, requestsPerMonth: number): TierDocument => ({
  display: { name: 'Plan', description: '', features: [], popular: false, badge: null, color: '' },
  billing,
  rateLimits: {
    requestsPerMinute,
    requestsPerMonth,
    requestsPerHour: 1,
    requestsPerDay: 1,
    burstLimit: 1,
    concurrentRequests: 1,
  },
  features: {
    apiAccess: true,
    realTimeData: true,
    historicalData: true,
    basicAnalytics: true,
    advancedAnalytics: true,
    customReports: true,
    dataExport: true,
    webhooks: true,
    apiKeyManagement: true,
    emailSupport: true,
    prioritySupport: true,
    dedicatedSupport: false,
  },
  support: { channels: [], responseTime: '', availability: '' },
})

const pricing: Pricing = {
  free: planWith(10, 1_000),
  basic: planWith(100, 100_000),
  pro: planWith(500, 1_000_000),
  metadata: { version: '2.0.0', defaultTrialPeriod: 14 },
}

test('the smallest plan that carries both figures fits', () => {
  expect(fittingPlan(pricing, { perMinute: 10, perMonth: 1_000 })).toBe('free')
  expect(fittingPlan(pricing, { perMinute: 11, perMonth: 1_000 })).toBe('basic')
  expect(fittingPlan(pricing, { perMinute: 1, perMonth: 100_001 })).toBe('pro')
  expect(fittingPlan(pricing, { perMinute: 501, perMonth: 1 })).toBeUndefined()
})

test('each plan says where it ends or how much room it leaves', () => {
  const load = { perMinute: 64, perMonth: 72_000 }
  expect(verdictOn(pricing, 'free', load)).toEqual({ isEnough: false, text: 'Ends at 10 a minute' })
  expect(verdictOn(pricing, 'free', { perMinute: 1, perMonth: 2_000 }).text).toBe('Ends at 1,000 a month')
  expect(verdictOn(pricing, 'basic', load)).toEqual({ isEnough: true, text: 'Fits your load' })
  expect(verdictOn(pricing, 'pro', load)).toEqual({ isEnough: true, text: 'Fits, with 7.8 times the room' })
})

test('a ruler holds every limit, each decade as wide as the next', () => {
  const scale = scaleFor(1, [10, 100, 500])
  expect(scale).toEqual({ min: 1, max: 1_000 })
  expect(positionOf(scale, 10)).toBeCloseTo(POSITION_MAX / 3)
  expect(positionOf(scale, 5_000)).toBe(POSITION_MAX)
  expect(valueAt(scale, positionOf(scale, 64))).toBe(64)
  expect(valueAt(scale, 0)).toBe(1)
  expect(ticksOf(scale)).toHaveLength(28)
})

test('exports and analytics are there, webhooks and custom reports are announced', () => {
  const plan = planWith(10, 1_000)
  const soon = PLAN_GROUPS.flatMap(({ rows }) => rows).flatMap(({ label, cell }) => {
    const found = cell(plan)
    return found.kind === 'included' && found.isSoon ? [i18n._(label)] : []
  })
  expect(soon).toEqual(['Live stream', 'Webhooks', 'Custom reports'])
})
