import { readFile } from 'node:fs/promises'
import { createKeyFor, listTrades, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { setLimits, setTier } from '@tapeline/testing/set-subscription'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { copiedText } from './copied-text.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform

let browser: Browser
let page: Page
let account: TestAccount
let secret: string

beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpUser(gatewayUrl)
  await setLimits(platform, account.user.id, { requestsPerMinute: 2 })
  secret = (await createKeyFor(gatewayUrl, account.jwtToken, 'notebook')).apiKey
  for (const status of [200, 200, 429]) expect((await listTrades(gatewayUrl, secret)).status).toBe(status)
  const permissions = ['clipboard-read', 'clipboard-write']
  page = await (await browser.newContext({ permissions, reducedMotion: 'reduce' })).newPage()
  await page.goto(webUrl + paths.login)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.waitForURL(webUrl + paths.profile)
})
afterAll(() => browser?.close())

const rows = () => page.getByRole('button', { name: /^Explain / })

test('the metrics lead to the requests and the one that a limit rejected, which is explained per limit and copied without the secret', async () => {
  await page.getByRole('link', { name: 'API Key Audit' }).first().click()
  await page.getByRole('link', { name: 'View requests' }).click()
  await page.waitForURL(webUrl + paths.requests)
  await rows().nth(2).waitFor()
  await page.getByLabel('Outcome').selectOption('denied')
  await page.waitForURL((url) => url.searchParams.get('outcome') === 'denied')
  await page.getByRole('button', { name: /^Explain 429/ }).click()
  const why = page.getByRole('complementary', { name: 'The request explained' })
  await why.getByRole('heading', { name: 'Rejected: 2 of 2 requests used in the last minute' }).waitFor()
  await why.getByText('The next request was possible at').waitFor()
  expect(await why.getByRole('meter', { name: 'Minute' }).getAttribute('aria-valuetext')).toBe('2 of 2')
  await why.getByText('Minute, rejected the request').waitFor()
  await why
    .getByText(/^frees a slot after/)
    .first()
    .waitFor()
  await why.getByText('limit.minute_exceeded').waitFor()

  await why.getByRole('button', { name: 'Copy as curl' }).click()
  await why.getByRole('button', { name: 'Copied' }).waitFor()
  const command = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(command).toContain(`'${gatewayUrl}/api/v1/trades/list'`)
  expect(command).toContain('$TAPELINE_API_KEY')
  expect(await page.content()).not.toContain(secret.slice(21))

  await page.reload()
  await why.getByRole('heading', { name: 'Rejected: 2 of 2 requests used in the last minute' }).waitFor()
  await page.keyboard.press('Tab')
})

test('with a request id in the filter the tape shows that request alone, in its minute', async () => {
  await page.goto(`${webUrl}${paths.requests}?range=1h`)
  const all = page.getByRole('img', { name: '2 served, 1 rejected by a limit, 0 client errors, 0 server errors.' })
  await all.waitFor()
  await page.getByRole('button', { name: /^Explain 429/ }).click()
  const why = page.getByRole('complementary', { name: 'The request explained' })
  await why.getByRole('button', { name: 'Copy request id' }).click()
  // The clipboard still has the command of the previous test.
  const id = await copiedText(page, /^[\w-]+$/)
  await page.getByRole('searchbox', { name: 'Request id' }).fill(id)
  await page.waitForURL((url) => url.searchParams.get('request') === id)
  const tape = page.getByRole('img', { name: '0 served, 1 rejected by a limit, 0 client errors, 0 server errors.' })
  await tape.waitFor()
  await tape.locator('i.throttled').first().waitFor({ state: 'attached' })
  expect(await tape.locator('i.throttled').count()).toBe(1)
  expect(await all.count()).toBe(0)
})

test('a request made while the log is open appears automatically', async () => {
  await page.goto(webUrl + paths.requests)
  await rows().nth(2).waitFor()
  expect(await rows().count()).toBe(3)
  await listTrades(gatewayUrl, secret)
  await rows().nth(3).waitFor()
})

test('the locked export names the tier that includes it, and is unlocked without a reload after an upgrade', async () => {
  await page.goto(`${webUrl}${paths.requests}?outcome=ok&range=24h`)
  await page.getByText('Upgrade to Basic to export').waitFor()
  await setTier(platform, account.user.id, 'basic')
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /^CSV/ }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/requests.*\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  expect(lines[0]).toContain('request_id')
  expect(lines.slice(1).every((line) => line.includes(',ok,'))).toBe(true)
  expect(lines.length).toBeGreaterThanOrEqual(3)
})
