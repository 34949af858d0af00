import { createKeyFor, listTrades, signUpUser } from '@tapeline/testing/api-client'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { expectVisible, pageOfFile, sessionOf } from './page-of-file.ts'

// Specification §2 and §9, metrics, with two served requests and a rejected one.

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const SEEN_WITHIN_MS = 30_000

let key = ''
const page = pageOfFile(async () => {
  const person = await signUpUser(gatewayUrl)
  await setTier(platform, person.user.id, 'pro')
  const { apiKey } = await createKeyFor(gatewayUrl, person.jwtToken)
  // All three in one minute, because the peak of a minute is read below.
  await waitUntil('a minute has begun', () => new Date().getUTCSeconds() < 30, 60_000)
  for (const limit of [1, 1, -1]) await listTrades(gatewayUrl, apiKey, { venues: ['sim'], limit })
  key = apiKey
  return sessionOf(person)
})

const radio = (name: string) => page().getByRole('radio', { name, exact: true })
const total = (count: number) =>
  page().getByTestId('total').getByText(`${count}`, { exact: true }).waitFor({ timeout: SEEN_WITHIN_MS })
const stat = (name: string) => page().locator('.stat', { has: page().locator('dt', { hasText: name }) })
const panel = (name: string) => page().getByRole('region', { name, exact: true })

test('the time range picker: 1 Hour, 24 Hours, 7 Days, 30 Days, 90 Days (default 7d)', async () => {
  await page().goto(webUrl + paths.metrics)
  await total(3)
  expect(await radio('7 Days').isChecked()).toBe(true)
  expect(new URL(page().url()).search).toBe('')
  for (const [name, range] of [
    ['1 Hour', '1h'],
    ['24 Hours', '24h'],
    ['30 Days', '30d'],
    ['90 Days', '90d'],
  ] as const) {
    const pending = page().waitForRequest((request) => request.url().includes(`dashboard-metrics?period=${range}`))
    await page().getByRole('radiogroup', { name: 'Time range' }).getByText(name, { exact: true }).click()
    await page().waitForURL((url) => url.searchParams.get('range') === range)
    await pending
  }
})

test('the route selector: All Endpoints, Trades, L2 Events, Health', async () => {
  const route = page().getByLabel('Route', { exact: true })
  expect(await route.locator('option').allTextContents()).toEqual(['All Endpoints', 'Trades', 'L2 Events', 'Health'])
  await route.selectOption('L2 Events')
  await total(0)
  await route.selectOption('Trades')
  await total(3)
  await route.selectOption('Health')
  await total(0)
  await route.selectOption('All Endpoints')
  await total(3)
})

test('response-time percentiles', async () => {
  await expectVisible(stat('Response time, p95').getByText(/^p50 [\d.]+ ms, p99 [\d.]+ ms$/))
})

test('success rate', async () => {
  await stat('Success rate').getByText('66.67').waitFor()
  await expectVisible(stat('Success rate').getByText('1 of 3 failed'))
})

test('throughput', async () => {
  await stat('Throughput').getByText('/min').waitFor()
  await expectVisible(stat('Throughput').getByText(/^peak 3, /))
})

test('error analysis', async () => {
  const row = panel('Error analysis').getByRole('row').filter({ hasText: 'the request was not valid' })
  await row.waitFor()
  expect(await row.getByRole('cell').allTextContents()).toEqual(['400', 'the request was not valid', '1', '33.33%'])
})

test('top endpoints', async () => {
  const row = panel('Top endpoints').getByRole('row').filter({ hasText: '/api/v1/trades/list' })
  await row.waitFor()
  const [, requests, p50, p95, p99, errors] = await row.getByRole('cell').allTextContents()
  expect([requests, errors]).toEqual(['3', '1'])
  for (const latency of [p50, p95, p99]) expect(Number(latency)).toBeGreaterThan(0)
})

test('system usage', async () => {
  const minute = panel('System usage').getByRole('meter', { name: 'Minute, peak' })
  await expectVisible(minute.and(page().locator('[aria-valuetext="3 of 500"]')))
})

test('the export button', async () => {
  await page().getByRole('button', { name: 'Export' }).click()
  await page().getByRole('menuitem').first().waitFor()
  const items = await page().getByRole('menuitem').allTextContents()
  expect(items).toEqual(['CSV, all rows of this filter', 'JSON lines, all rows of this filter'])
})

test('live streams, before and after the first one', async () => {
  await panel('Live streams').getByText('No live stream was open in this period.').waitFor({ timeout: SEEN_WITHIN_MS })
  const controller = new AbortController()
  const stream = await fetch(`${gatewayUrl}/api/v1/stream?channel=trades&venues=sim&symbols=BTC-USDT`, {
    headers: { 'x-api-key': key },
    signal: controller.signal,
  })
  await stream.body?.getReader().read()
  controller.abort()
  const figure = (name: string) => stat(name).locator('.value')
  await figure('Connections').getByText('1', { exact: true }).waitFor({ timeout: SEEN_WITHIN_MS })
  await waitUntil('its messages are counted', async () => Number(await figure('Messages').textContent()) > 0)
  await expectVisible(figure('Data delivered').filter({ hasText: /^[\d.]+ k?B$/ }))
})
