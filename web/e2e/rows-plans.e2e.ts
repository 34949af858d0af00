import { signUpUser } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { pageOfFile, sessionOf } from './page-of-file.ts'

// Specification §9, tiers: on the pricing page and next to the account's own plan.

const { webUrl, gatewayUrl } = runningPlatform()
const TIERS = ['free', 'basic', 'pro'] as const
const CHECKED = ['included', 'soon']

const page = pageOfFile()
const signedIn = pageOfFile(async () => sessionOf(await signUpUser(gatewayUrl)))

const head = (tier: string) => page().locator(`[data-head="${tier}"]`)
const cell = (row: string, tier: string) => page().locator(`[data-row="${row}"][data-tier="${tier}"]`)
const textsOf = (row: string) => Promise.all(TIERS.map((tier) => cell(row, tier).textContent()))

test("the price: 'Custom', 29 per month, 99 per month", async () => {
  await page().goto(webUrl + paths.pricing)
  await page().locator('.pricing[data-state="ready"]').waitFor()
  const prices = TIERS.map(async (tier) => (await head(tier).locator('.price').innerText()).split('\n')[0])
  expect(await Promise.all(prices)).toEqual(['Custom', '$29 per month', '$99 per month'])
})

test('a year of basic is 290, of pro 990, with a 17% discount', async () => {
  await page().getByRole('radio', { name: 'Yearly' }).check({ force: true })
  for (const [tier, price] of [
    ['basic', '$290'],
    ['pro', '$990'],
  ] as const) {
    await head(tier).getByText('(17% discount)').waitFor()
    expect(await head(tier).locator('[data-part="price"]').textContent()).toBe(price)
  }
  expect(await head('free').locator('[data-part="price"]').textContent()).toBe('Custom')
})

test.each([
  ['requests per minute', 'requestsPerMinute', '10', '100', '500'],
  ['requests per hour', 'requestsPerHour', '100', '1,000', '5,000'],
  ['requests per day', 'requestsPerDay', '1,000', '10,000', '50,000'],
  ['requests per month', 'requestsPerMonth', '1,000', '100,000', '1,000,000'],
  ['burst limit', 'burstLimit', '5', '20', '100'],
  ['concurrent requests', 'concurrentRequests', '1', '5', '20'],
  ['support channels', 'channels', 'email', 'email', 'email, chat'],
  ['support response', 'responseTime', '48 hours', '24 hours', '4 hours'],
  ['trial', 'trial', 'not included', '14 days', '14 days'],
] as const)('%s (%s): %s for free, %s for basic, %s for pro', async (_name, row, ...expected) => {
  expect(await textsOf(row)).toEqual(expected)
})

test('pro has extended hours', async () => {
  expect(await cell('availability', 'pro').textContent()).toBe('Extended hours')
})

test('the badge: none, Most Popular, Best Value', async () => {
  expect(await head('free').locator('[data-part="badge"]').isVisible()).toBe(false)
  expect(await head('basic').locator('[data-part="badge"]').textContent()).toBe('Most Popular')
  expect(await head('pro').locator('[data-part="badge"]').textContent()).toBe('Best Value')
})

test.each([
  ['Free has no historical data, analytics or export', 'free', [], ['basicAnalytics', 'dataExport', 'webhooks']],
  [
    'Basic adds historical data, basic analytics, data export and webhooks',
    'basic',
    ['basicAnalytics', 'dataExport', 'webhooks'],
    ['advancedAnalytics', 'customReports'],
  ],
  ['Pro adds advanced analytics and custom reports', 'pro', ['advancedAnalytics', 'customReports'], []],
] as const)('%s', async (_name, tier, included, missing) => {
  const kindOf = (row: string) => cell(row, tier).getAttribute('data-kind')
  for (const row of included) expect(CHECKED, row).toContain(await kindOf(row))
  for (const row of missing) expect([row, await kindOf(row)]).toEqual([row, 'missing'])
  expect(await cell('history', tier).textContent()).toBe(tier === 'free' ? 'last 24 hours' : 'complete')
})

test('request counts are abbreviated with K and M', async () => {
  const marks = page().locator('[data-ruler="perMonth"] .ruler-marks .ruler-name')
  expect(await marks.allTextContents()).toEqual(['1K', '100K', '1M'])
})

test("only the first 5 features of a tier are listed, followed by '+N more features'", async () => {
  expect(await head('free').locator('.feat li:not(.more)').count()).toBe(5)
  expect(await head('free').locator('.feat li.more').textContent()).toBe('+1 more features')
  expect(await head('pro').locator('.feat li:not(.more)').count()).toBe(5)
  expect(await head('pro').locator('.feat li.more').textContent()).toBe('+1 more features')
})

test('the plan page has the same figures, and marks the plan of the account', async () => {
  await signedIn().goto(webUrl + paths.plan)
  const plans = signedIn().getByRole('region', { name: 'Plans', exact: true })
  await plans.getByRole('columnheader', { name: 'Free Your plan' }).waitFor()
  // The column after the three plans shows the account's usage.
  const row = async (name: string) =>
    (await plans.getByRole('row', { name }).getByRole('cell').allTextContents()).slice(0, 3)
  expect(await row('Price a month')).toEqual(['Custom', '$29', '$99'])
  expect(await row('Requests per month')).toEqual(['1,000', '100,000', '1,000,000'])
  expect(await row('Response within')).toEqual(['48 hours', '24 hours', '4 hours'])
})
