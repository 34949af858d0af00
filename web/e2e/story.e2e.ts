import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Browser, type Locator, openBrowser, type Page } from '@tapeline/testing/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { copiedText } from './copied-text.ts'

const { webUrl, gatewayUrl } = runningPlatform()
const run = promisify(execFile)
/** Usually under a second; allows for a busy machine. */
const SEEN_WITHIN_MS = 20_000

let browser: Browser
let page: Page
const problems: string[] = []

beforeAll(async () => {
  browser = await openBrowser()
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  page = await context.newPage()
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
})
afterAll(() => browser?.close())

/** Runs the documented request with curl. */
async function curl(key: string): Promise<{ status: number; body: string }> {
  const { stdout } = await run('curl', [
    '-s',
    '-w',
    '\n%{http_code}',
    `${gatewayUrl}/api/v1/trades/list`,
    '-H',
    `Authorization: Bearer ${key}`,
    '-H',
    'Content-Type: application/json',
    '-d',
    '{"venues":["sim"],"limit":3}',
  ])
  const at = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(at + 1)), body: stdout.slice(0, at) }
}

/** The number is at the end of the element, after text for screen readers. */
async function expectVisible(element: Locator, count: string): Promise<void> {
  await element.filter({ hasText: new RegExp(`(^|\\s)${count}$`) }).waitFor({ timeout: SEEN_WITHIN_MS })
}

test('sign up, create a key, read trades, see the request, revoke the key, get rejected, see that request too', async () => {
  await page.goto(`${webUrl}/signup`)
  const email = `${crypto.randomUUID()}@example.com`
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mobile').fill('+441234567')
  await page.getByLabel('Password', { exact: true }).fill('Analytical-Engine-1')
  await page.getByLabel('Confirm password').fill('Analytical-Engine-1')
  await page.getByLabel(/I agree/).check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${webUrl}/dashboard/api-keys`)
  await page.getByRole('button', { name: 'Create Your First API Key' }).click()
  await page.getByLabel('Key Name').fill('notebook')
  await page.getByRole('dialog').getByRole('button', { name: 'Create API Key' }).click()
  const dialog = page.getByRole('dialog', { name: 'API Key Created' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  expect(await dialog.isVisible()).toBe(true)
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  const key = await copiedText(page, /^tl_live_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(key.slice(21))

  const first = await curl(key)
  expect(first.status, first.body).toBe(200)
  expect(JSON.parse(first.body).data).toHaveLength(3)
  const card = page.getByRole('article', { name: 'notebook' })
  await expectVisible(card.getByTestId('total'), '1')

  await page.getByRole('link', { name: 'API Key Audit' }).first().click()
  await expectVisible(page.getByTestId('total'), '1')
  expect((await curl(key)).status).toBe(200)
  await expectVisible(page.getByTestId('total'), '2')

  await page.getByRole('link', { name: 'API Keys' }).first().click()
  await page.getByRole('button', { name: 'Actions for notebook' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await card.getByText('Revoked').waitFor()
  const refused = await curl(key)
  expect(refused.status, refused.body).toBe(401)
  await expectVisible(card.getByTestId('total'), '3')
  await page.getByRole('link', { name: 'API Key Audit' }).first().click()
  await expectVisible(page.getByTestId('total'), '3')
  expect(problems).toEqual([])
})
