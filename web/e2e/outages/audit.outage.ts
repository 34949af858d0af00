import { createKeyFor, listTrades } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../../tests/platform/running-platform.ts'
import { paths } from '../../src/paths.ts'
import { expectVisible } from '../page-of-file.ts'
import { UNAVAILABLE, expectVisibleAfter, outageOfFile } from './outage-of-file.ts'

// Messages of the pages while the audit service is unavailable: each part separately, with a retry.

const { webUrl, gatewayUrl } = runningPlatform()
let page: Page
let statusTab: Page
let key: string

const outage = outageOfFile('audit', async ({ account, signedInTab, newTab }) => {
  key = (await createKeyFor(gatewayUrl, account.jwtToken, 'notebook')).apiKey
  expect((await listTrades(gatewayUrl, key)).status).toBe(200)
  page = await signedInTab(paths.metrics)
  await page.getByRole('heading', { name: 'Top endpoints' }).waitFor()
  statusTab = await newTab()
})

test('requests are still served', async () => {
  expect((await listTrades(gatewayUrl, key)).status).toBe(200)
})

test('keys are listed without their usage figures', async () => {
  await page.goto(webUrl + paths.apiKeys)
  const card = page.getByRole('article', { name: 'notebook' })
  await expectVisible(card.getByText('Active', { exact: true }))
  await expectVisible(card.getByRole('img', { name: 'The last 60 minutes could not be loaded' }))
})

test.each([
  [paths.requests, 'Your requests could not be loaded'],
  [paths.auditTrail, 'The audit trail could not be loaded'],
  [paths.metrics, 'Your metrics could not be loaded'],
])('%s: %s, because of what, and Try Again', async (path, text) => {
  await page.goto(webUrl + path)
  const alert = page.getByRole('alert').filter({ hasText: text })
  await expectVisible(alert.getByText(UNAVAILABLE))
  await expectVisible(alert.getByRole('button', { name: 'Try Again' }))
})

test('notifications could not be loaded', async () => {
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await expectVisible(page.getByText('Notifications could not be loaded'))
  await page.keyboard.press('Escape')
})

test('the status page shows that the status cannot be read, and never that all systems respond', async () => {
  await statusTab.goto(webUrl + paths.status)
  await expectVisible(statusTab.getByText('The status cannot be read at the moment'))
  expect(await statusTab.getByText('Operational', { exact: true }).count()).toBe(0)
})

test('Try Again shows the numbers when the service is available again, including requests served in the meantime', async () => {
  await outage.end()
  await expectVisibleAfter(page, 'Try Again', page.getByRole('heading', { name: 'Top endpoints' }))
  await page.goto(webUrl + paths.requests)
  await expectVisible(page.getByRole('button', { name: /^Explain / }).nth(1))
})
