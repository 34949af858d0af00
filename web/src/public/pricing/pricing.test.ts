import type { Pricing } from '@tapeline/contracts/config/http'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { expect, test } from 'vitest'
import { fittingPlan, verdictOn } from './fit-plan.ts'
import { POSITION_MAX, positionOf, scaleFor, ticksOf, valueAt } from './load-scale.ts'
import { PLAN_GROUPS } from './plan-rows.ts'
import { type Billing, discountPercent, monthOfYear, priceText } from './price-of-plan.ts'

const pricing: Pricing = tierDocuments
const billing: Billing = pricing.basic.billing

test("a price of 0 reads 'Custom', others follow the period and the language", () => {
  expect(priceText({ ...billing, monthlyPrice: 0 }, 'monthly', 'en')).toBeUndefined()
  expect(priceText(billing, 'monthly', 'en')).toBe('$29')
  expect(priceText(billing, 'yearly', 'en')).toBe('$290')
  expect(monthOfYear(billing, 'en')).toBe('$24.17')
  expect(monthOfYear(billing, 'fr')).toBe('24,17\u00A0$')
})

test('the discount comes from the data, or is 20 percent', () => {
  expect(discountPercent({ yearlyDiscount: 17 })).toBe(17)
  expect(discountPercent({ yearlyDiscount: 0 })).toBe(0)
  expect(discountPercent({})).toBe(20)
})

test('the smallest plan whose limits cover both figures fits', () => {
  expect(fittingPlan(pricing, { perMinute: 10, perMonth: 1_000 })).toBe('free')
  expect(fittingPlan(pricing, { perMinute: 11, perMonth: 1_000 })).toBe('basic')
  expect(fittingPlan(pricing, { perMinute: 1, perMonth: 100_001 })).toBe('pro')
  expect(fittingPlan(pricing, { perMinute: 501, perMonth: 1 })).toBeUndefined()
})

test('each plan shows which limit is exceeded or how much capacity remains', () => {
  const load = { perMinute: 64, perMonth: 72_000 }
  expect(verdictOn(pricing, 'free', load)).toEqual({ kind: 'endsAtMinute' })
  expect(verdictOn(pricing, 'free', { perMinute: 1, perMonth: 2_000 })).toEqual({ kind: 'endsAtMonth' })
  expect(verdictOn(pricing, 'basic', load)).toEqual({ kind: 'fits' })
  expect(verdictOn(pricing, 'pro', load)).toEqual({ kind: 'room', times: 500 / 64 })
})

test('a ruler contains every limit, with decades of equal width', () => {
  const scale = scaleFor(1, [10, 100, 500])
  expect(scale).toEqual({ min: 1, max: 1_000 })
  expect(positionOf(scale, 10)).toBeCloseTo(POSITION_MAX / 3)
  expect(positionOf(scale, 5_000)).toBe(POSITION_MAX)
  expect(valueAt(scale, positionOf(scale, 64))).toBe(64)
  expect(valueAt(scale, 0)).toBe(1)
  expect(ticksOf(scale)).toHaveLength(28)
})

test('every feature that Pro includes exists: none is only announced', () => {
  const kinds = PLAN_GROUPS.filter(({ id }) => id === 'data' || id === 'insight')
    .flatMap(({ rows }) => rows)
    .map(({ cell }) => cell(pricing.pro).kind)
  expect(new Set(kinds)).toEqual(new Set(['included', 'history']))
})
