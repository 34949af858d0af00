import { createKeyFor, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
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
  account = await signUpUser(gatewayUrl)
  await createKeyFor(gatewayUrl, account.jwtToken, 'ledger')
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(webUrl + paths.login)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.waitForURL(webUrl + paths.profile)
})
afterAll(() => browser?.close())

test('entries are listed with their actor, filtered by subject, and shown in full', async () => {
  await page.goto(webUrl + paths.auditTrail)
  const trail = page.getByRole('region', { name: 'Audit trail, table' })
  const created = trail.getByRole('row').filter({ hasText: 'API key created' })
  await created.waitFor()
  await trail.getByText('Signed up').waitFor()
  const signedIn = trail.getByRole('row').filter({ hasText: 'Signed in' }).first()
  expect(await signedIn.getByRole('cell').nth(2).textContent()).toBe('you')
  expect(await created.getByRole('cell').nth(2).textContent()).toBe('you')

  await page.getByLabel('About').selectOption('api-key')
  await page.waitForURL((url) => url.searchParams.get('about') === 'api-key')
  await trail.getByText('Signed up').waitFor({ state: 'detached' })
  await created.getByText('API key created: ledger').waitFor()
  expect(await created.getByText('"kid":').count()).toBe(1)
  expect(await created.getByText('"kid":').isVisible()).toBe(false)
  await created.getByText('Show JSON').click()
  await created.getByText('"kid":').waitFor()
  expect(await trail.getByRole('row').count()).toBe(2)
})

test('at 360 px the actor and network of an entry are within the window', async () => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(webUrl + paths.auditTrail)
  const created = page.getByRole('row').filter({ hasText: 'API key created' })
  for (const cell of [2, 3]) {
    const box = await created.getByRole('cell').nth(cell).boundingBox()
    expect(box?.width).toBeGreaterThan(60)
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('a past day is empty for a new account, and the choice of trails is hidden from users', async () => {
  await page.goto(`${webUrl}${paths.auditTrail}?to=2020-01-01`)
  await page.getByText('No entry matches this filter.').waitFor()
  expect(await page.getByLabel('Trail to show').count()).toBe(0)
})
