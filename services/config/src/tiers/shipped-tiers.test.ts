import { TIERS } from '@tapeline/contracts/actor'
import { FEATURES } from '@tapeline/contracts/config/tiers'
import { expect, test } from 'vitest'
import { checkTiers } from './check-tiers.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'

test('the shipped documents are valid', () => {
  expect(checkTiers(tierDocuments)).toEqual(tierDocuments)
  expect(tierDocuments.metadata).toEqual({ version: '2.0.0', defaultTrialPeriod: 14 })
})

/** Price per month and year, discount, trial; minute, hour, day, month, burst, concurrent; stream connections and messages. */
test.each([
  ['free', [0, 0, 0, 0], [10, 100, 1_000, 1_000, 5, 1, 1, 10]],
  ['basic', [29, 290, 17, 14], [100, 1_000, 10_000, 100_000, 20, 5, 5, 50]],
  ['pro', [99, 990, 17, 14], [500, 5_000, 50_000, 1_000_000, 100, 20, 20, 200]],
] as const)('tier %s has the specified prices and limits', (tier, prices, limits) => {
  const { billing, rateLimits } = tierDocuments[tier]
  expect([billing.monthlyPrice, billing.yearlyPrice, billing.yearlyDiscount, billing.trialPeriod]).toEqual(prices)
  expect([
    rateLimits.requestsPerMinute,
    rateLimits.requestsPerHour,
    rateLimits.requestsPerDay,
    rateLimits.requestsPerMonth,
    rateLimits.burstLimit,
    rateLimits.concurrentRequests,
    rateLimits.streamConnections,
    rateLimits.streamMessagesPerSecond,
  ]).toEqual(limits)
})

test('a tier includes the features of the one below and its own', () => {
  const included = TIERS.map((tier) => FEATURES.filter((feature) => tierDocuments[tier].features[feature]).toSorted())
  const free = ['apiAccess', 'apiKeyManagement', 'emailSupport', 'realTimeData']
  const basic = [...free, 'basicAnalytics', 'dataExport', 'historicalData', 'webhooks'].toSorted()
  const pro = [...basic, 'advancedAnalytics', 'customReports', 'prioritySupport'].toSorted()
  expect(included).toEqual([free, basic, pro])
})

test('no feature is announced for later', () => {
  const texts = TIERS.flatMap((tier) => tierDocuments[tier].display.features)
  const naming = (thing: RegExp) => texts.filter((text) => thing.test(text))
  expect(naming(/webhooks/i)).toEqual(['Webhooks'])
  expect(naming(/reports/i)).toEqual(['Custom reports'])
  expect(naming(/soon/i)).toEqual([])
})
