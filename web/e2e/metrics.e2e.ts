import { createKeyFor, listTrades, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { callOperator } from '@tapeline/testing/operator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile, signInOn } from './browser.fixture.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const operator = callOperator(platform)
const browser = browserOfFile()
const SEEN_WITHIN_MS = 30_000

let account: TestAccount
beforeAll(async () => {
  account = await signUpUser(gatewayUrl)
  await operator.ofPlans('set-tier', account.user.id, 'pro')
  const { apiKey } = await createKeyFor(gatewayUrl, account.jwtToken, 'notebook')
  for (const limit of [1, 2, -1]) await listTrades(gatewayUrl, apiKey, { venues: ['sim'], limit })
})
afterAll(() => operator.close())

const shown = (page: Page, name: string, text: string | RegExp) =>
  page.getByRole('region', { name }).getByText(text).first().waitFor({ timeout: SEEN_WITHIN_MS })

test('live activity is shown next to the limits, and the keyboard alone leads from a bucket to its requests', async () => {
  const page = await browser.newPage()
  await signInOn(page, account, `${paths.metrics}?range=1h`)
  await shown(page, 'Right now', '/ 500')
  await page.getByTestId('total').getByText('3', { exact: true }).waitFor({ timeout: SEEN_WITHIN_MS })
  await shown(page, 'Error analysis', '400')
  expect(await findBarriers(page)).toEqual([])

  await page.getByLabel('Route', { exact: true }).selectOption('Trades')
  await page.getByRole('status').getByText('3 requests', { exact: true }).waitFor({ timeout: SEEN_WITHIN_MS })
  expect(await page.getByRole('status').filter({ hasText: 'as of' }).count()).toBe(0)

  await page.getByRole('group', { name: /^Response time and outcomes over time/ }).focus()
  const readout = page.getByRole('status').filter({ hasText: 'served' }).last()
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('ArrowLeft')
    if (/[1-3] served/.test((await readout.textContent()) ?? '')) break
  }
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === paths.requests && url.searchParams.get('range') === 'custom')
  await page.getByRole('row').nth(1).waitFor()
})

test("a custom range is stored in the URL in the account's time zone; a reversed range is rejected at its fields", async () => {
  const page = await browser.newPage()
  await signInOn(page, account, `${paths.metrics}?range=custom&from=2026-11-01T00:00:00.000Z`)
  const range = page.getByRole('group', { name: 'Custom range, UTC' })
  expect(await range.getByLabel('From').inputValue()).toBe('2026-11-01T00:00')
  await range.getByLabel('From').focus()
  await page.keyboard.type('11022026')
  await page.waitForURL((url) => url.searchParams.get('from') === '2026-11-02T00:00:00.000Z')
  await range.getByLabel('To').fill('2026-10-01T00:00')
  await range.getByText('The end must be after the start.').waitFor()
  await range.getByLabel('To').fill('2026-11-02T12:00')
  await page.waitForURL((url) => url.searchParams.get('to') === '2026-11-02T12:00:00.000Z')
  await page.getByText('7 Days').click()
  await page.waitForURL((url) => url.search === '')
})

test('a plan without custom ranges shows which plan has them, never an error', async () => {
  const page = await browser.newPage()
  const free = await signUpUser(gatewayUrl)
  await signInOn(page, free, paths.metrics)
  await page.getByText('Upgrade to Basic to compare with the previous period').waitFor()
  await page.getByText('Custom', { exact: true }).click()
  await page.getByRole('heading', { name: 'Upgrade to Pro for custom ranges' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
})
