import { createKeyFor, listTrades, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { setLimits } from '@tapeline/testing/set-subscription'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

// What a new account with the smallest plan sees.

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
/** The limit per minute, and time to load on a busy machine. */
const LOADED_AGAIN_MS = 120_000
const REQUESTS = 3

let browser: Browser
let page: Page
let account: TestAccount

beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpUser(gatewayUrl)
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(webUrl + paths.login)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.waitForURL(webUrl + paths.profile)
})
afterAll(() => browser?.close())

test.each([paths.downloads, paths.webhooks, paths.reports])(
  'on %s the lock is beside the name of the plan that includes the page',
  async (path) => {
    await page.goto(webUrl + path)
    const heading = page.getByRole('heading', { name: /^Upgrade to (Basic|Pro)/ })
    const lock = await heading.locator('.icon').boundingBox()
    const box = await heading.boundingBox()
    if (lock === null || box === null) throw new Error('the heading is not shown')
    const middle = (one: { y: number; height: number }) => one.y + one.height / 2
    expect(Math.abs(middle(lock) - middle(box))).toBeLessThan(4)
  },
)

test('without any request the log leads to the API keys; with a filter it names the filter', async () => {
  await page.goto(webUrl + paths.requests)
  await page.getByText('No requests in this period.').waitFor()
  await page.goto(`${webUrl}${paths.requests}?status=5xx`)
  await page.getByText('No request matches this filter.').waitFor()
  await page.goto(webUrl + paths.requests)
  await page.getByText('No requests in this period.').getByRole('link', { name: 'API keys' }).click()
  await page.waitForURL(webUrl + paths.apiKeys)
  expect(new URL(page.url()).pathname).toBe(paths.apiKeys)
})

test('parts of the market page that the limit per minute rejected are loaded again at the time that they show', async () => {
  const { apiKey } = await createKeyFor(gatewayUrl, account.jwtToken, 'notebook')
  await setLimits(platform, account.user.id, { requestsPerMinute: REQUESTS })
  for (let n = 0; n < REQUESTS; n += 1) expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  await page.goto(`${webUrl}${paths.market}?venue=sim&symbol=BTC-USDT`)
  await page
    .getByText(/Next attempt at \d\d:\d\d:\d\d UTC\./)
    .first()
    .waitFor()
  const sidebar = page.getByRole('navigation', { name: 'Dashboard' })
  await sidebar.getByText(`${REQUESTS} requests a minute`).waitFor()
  await setLimits(platform, account.user.id, { requestsPerMinute: 1_000 })
  await page.getByRole('table', { name: /^Order book/ }).waitFor({ timeout: LOADED_AGAIN_MS })
  await page.getByRole('region', { name: 'Trades, table' }).waitFor({ timeout: LOADED_AGAIN_MS })
  expect(await page.getByText('Next attempt at').count()).toBe(0)
})
