import { createKeyFor, signUpSomebody, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const { webUrl, gatewayUrl } = runningPlatform()

let browser: Browser
let page: Page
let account: TestAccount

beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpSomebody(gatewayUrl)
  await createKeyFor(gatewayUrl, account.jwtToken, 'ledger')
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(webUrl + paths.login)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.waitForURL(webUrl + paths.profile)
})
afterAll(() => browser?.close())

test('what was done is listed with who did it, filtered by what it is about, and shown whole', async () => {
  await page.goto(webUrl + paths.auditTrail)
  const trail = page.getByRole('region', { name: 'Audit trail, table' })
  const created = trail.getByRole('row').filter({ hasText: 'API key created' })
  await created.waitFor()
  await trail.getByText('Signed up').waitFor()
  expect(await created.getByRole('cell').nth(2).textContent()).toBe('you')

  await page.getByLabel('About').selectOption('api-key')
  await page.waitForURL((url) => url.searchParams.get('about') === 'api-key')
  await trail.getByText('Signed up').waitFor({ state: 'detached' })
  await created.getByText('API key created').click()
  await created.getByText('ledger').first().waitFor()
  expect(await trail.getByRole('row').count()).toBe(2)
})

test('a day in the past has nothing of an account that began today, and somebody new sees no choice of trails', async () => {
  await page.goto(`${webUrl}${paths.auditTrail}?to=2020-01-01`)
  await page.getByText('Nothing fits this filter.').waitFor()
  expect(await page.getByLabel('Whose trail').count()).toBe(0)
})
