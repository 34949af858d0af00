import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { setTier } from '@tapeline/testing/set-subscription'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { mailedLink } from './browser.fixture.ts'
import { expectWidth } from './edges-of.ts'

const { webUrl, gatewayUrl, configDatabaseUrl, redisUrl } = runningPlatform()

let browser: Browser
let page: Page
let account: TestAccount
beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpUser(gatewayUrl)
  await setTier({ configDatabaseUrl, redisUrl }, account.user.id, 'pro')
  page = await openReports(account)
  await page.getByRole('heading', { name: 'No reports yet' }).waitFor()
})
afterAll(() => browser?.close())

async function openReports({ email, password }: TestAccount): Promise<Page> {
  const opened = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await opened.goto(`${webUrl}${paths.login}?next=${paths.reports}`)
  await opened.getByLabel('Email').fill(email)
  await opened.getByLabel('Password', { exact: true }).fill(password)
  await opened.getByRole('button', { name: 'Sign in', exact: true }).click()
  return opened
}

const row = (name: string) => page.getByRole('article', { name })

async function choose(name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('a view of the metrics becomes a report, which is previewed, sent, paused and deleted', async () => {
  expect(await findBarriers(page)).toEqual([])
  await page.goto(`${webUrl}${paths.metrics}?route=%2Fapi%2Fv1%2Ftrades%2Flist`)
  await page.getByRole('link', { name: 'Mail weekly' }).click()
  const form = page.getByRole('dialog', { name: 'Create a report' })
  expect(await form.getByLabel('Endpoint').inputValue()).toBe('/api/v1/trades/list')
  await form.getByRole('button', { name: 'Create report' }).click()
  await form.getByText('Give the report a name').waitFor()
  await form.getByLabel('Name').fill('Trades of the desk')
  await form.getByRole('radio', { name: 'PDF' }).check({ force: true })
  expect(await findBarriers(page)).toEqual([])
  await form.getByRole('button', { name: 'Create report' }).click()
  await row('Trades of the desk').getByText('your email is not verified').waitFor()

  const download = page.waitForEvent('download')
  await choose('Trades of the desk', 'Preview')
  expect((await download).suggestedFilename()).toBe('tapeline-report.pdf')
  await choose('Trades of the desk', 'Send now')
  await page.locator('.toast', { hasText: 'Verify your email first' }).waitFor()
  const token = new URL(await mailedLink(account.email, paths.verifyEmail)).searchParams.get('token')
  expect((await send(`${gatewayUrl}/api/v1/internal/user/verify-email`, { body: { token } })).status).toBe(200)
  await page.reload()
  await row('Trades of the desk').getByText('Active', { exact: true }).waitFor()
  await choose('Trades of the desk', 'Send now')
  await page.locator('.toast', { hasText: 'The report is on its way to your mailbox' }).waitFor()
  await choose('Trades of the desk', 'Pause')
  await row('Trades of the desk').getByText('Paused', { exact: true }).waitFor()
  await choose('Trades of the desk', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'No reports yet' }).waitFor()
})

test('an alert is created for a chosen window and percentage, and paused', async () => {
  await page.getByRole('button', { name: 'Create alert' }).click()
  const form = page.getByRole('dialog', { name: 'Create an alert' })
  await form.getByLabel('Name').fill('Burst half used')
  await form.getByLabel('Threshold (% of the limit)').fill('0')
  await form.getByRole('button', { name: 'Create alert' }).click()
  await form.getByText('Enter a number from 1 to 100').waitFor()
  await form.getByLabel('Threshold (% of the limit)').fill('50')
  await form.getByLabel('Limit', { exact: true }).selectOption({ label: 'requests per second' })
  await form.getByLabel('Webhook').check()
  expect(await findBarriers(page)).toEqual([])
  await form.getByRole('button', { name: 'Create alert' }).click()
  await row('Burst half used').getByText('50% of requests per second').waitFor()
  await row('Burst half used').getByText('Email, Webhook').waitFor()
  await choose('Burst half used', 'Pause')
  await row('Burst half used').getByText('Paused', { exact: true }).waitFor()
  await page.setViewportSize({ width: 360, height: 800 })
  await expectWidth(page, 360)
})

test('a plan without reports shows which plan has them, and has alerts', async () => {
  const locked = await openReports(await signUpUser(gatewayUrl))
  await locked.getByRole('heading', { name: 'Upgrade to Pro to create custom reports' }).waitFor()
  await locked.getByRole('button', { name: 'Create alert' }).waitFor()
  expect(await findBarriers(locked)).toEqual([])
})
