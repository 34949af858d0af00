import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { createKeyFor, send, signUpSomebody, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const FLAGS = `${gatewayUrl}/api/v1/admin/feature-flags`
const operator = callOperator(platform)

let browser: Browser
let page: Page
let account: TestAccount
let loads = 0

beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpSomebody(gatewayUrl)
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
  await operator.leave()
})

test('a notification comes without a reload, is counted, followed and read', async () => {
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
  expect(await feed.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await feed.waitFor()
  await page.keyboard.press('Escape')
  await feed.waitFor({ state: 'hidden' })
  expect(loads).toBe(0)
})

test("an admin flips a flag and another user's menu changes without a reload", async () => {
  const admin = await signUpSomebody(gatewayUrl)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  const listed = await send<{ data: AdminFlag[] }>(FLAGS, { token: admin.jwtToken })
  const flag = listed.body.data.find(({ flag_key, role }) => flag_key === 'api_key_audit' && role === 'user')
  const set = (enabled: boolean) =>
    send(FLAGS, { method: 'PATCH', token: admin.jwtToken, body: { flagId: flag?.id, enabled } })
  const entry = page.getByRole('link', { name: 'API Key Audit' }).first()
  await entry.waitFor()
  try {
    expect((await set(false)).status).toBe(200)
    await entry.waitFor({ state: 'detached' })
  } finally {
    await set(true)
  }
  await entry.waitFor()
  expect(loads).toBe(0)
})

test('a new role shows its entry without a reload, and takes it away again', async () => {
  const entry = page.getByRole('link', { name: 'Admin Controls' }).first()
  await operator.ofUsers('set-role', account.user.id, 'tester')
  await entry.waitFor()
  await operator.ofUsers('set-role', account.user.id, 'user')
  await entry.waitFor({ state: 'detached' })
  expect(loads).toBe(0)
})
