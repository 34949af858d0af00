import { createKeyFor, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { sessionOf } from './page-of-file.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const operator = callOperator(platform)

let browser: Browser
let page: Page
let account: TestAccount
let loads = 0

beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpUser(gatewayUrl)
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(webUrl + paths.login)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.waitForURL(webUrl + paths.profile)
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  page.on('load', () => (loads += 1))
})
afterAll(async () => {
  await browser?.close()
  await operator.close()
})

test('a notification arrives without a reload, is counted, followed and read', async () => {
  await createKeyFor(gatewayUrl, account.jwtToken, 'night-shift')
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  const feed = page.getByRole('dialog', { name: 'Notifications' })
  await feed
    .getByText(/night-shift/)
    .first()
    .waitFor()
  await feed.getByRole('button', { name: 'Mark all read' }).click()
  await feed.getByText('all read').waitFor()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await feed.getByRole('link', { name: 'Open API keys' }).click()
  await page.waitForURL(webUrl + paths.apiKeys)
  await feed.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await feed.waitFor()
  await page.keyboard.press('Escape')
  await feed.waitFor({ state: 'hidden' })
  expect(loads).toBe(0)
})

test("when an admin toggles a flag, another user's menu and Quick Actions change without a reload", async () => {
  const admin = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  const adminPage = await (await browser.newContext({ reducedMotion: 'reduce', ...sessionOf(admin) })).newPage()
  await adminPage.goto(webUrl + paths.admin)
  const toggle = adminPage.getByRole('region', { name: 'user flags' }).getByRole('switch', { name: 'api_key_audit' })
  // Changing it again before the reload is reported as a conflict.
  const flip = async (isOn: boolean) => {
    if ((await toggle.isChecked()) !== isOn) await toggle.click()
    await adminPage.locator('.toast', { hasText: `api_key_audit is ${isOn ? 'on' : 'off'}` }).waitFor()
  }
  await page.getByRole('link', { name: 'Profile' }).first().click()
  const entry = page.getByRole('navigation').getByRole('link', { name: 'API Key Audit' }).first()
  const tile = page.getByRole('region', { name: 'Quick Actions' }).getByRole('link', { name: 'Analytics' })
  await Promise.all([entry.waitFor(), tile.waitFor()])
  await flip(false)
  try {
    await Promise.all([entry, tile].map((one) => one.waitFor({ state: 'detached' })))
  } finally {
    await flip(true)
  }
  await Promise.all([entry.waitFor(), tile.waitFor()])
  expect(loads).toBe(0)
})

test('a changed role adds and removes its menu entry without a reload', async () => {
  const entry = page.getByRole('link', { name: 'Admin Controls' }).first()
  await operator.ofUsers('set-role', account.user.id, 'tester')
  await entry.waitFor()
  await operator.ofUsers('set-role', account.user.id, 'user')
  await entry.waitFor({ state: 'detached' })
  expect(loads).toBe(0)
})
