import { signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { setTier } from '@tapeline/testing/set-subscription'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { copiedText } from './copied-text.ts'
import { expectWidth } from './edges-of.ts'
import { expectVisible } from './page-of-file.ts'

const { webUrl, gatewayUrl, configDatabaseUrl, redisUrl } = runningPlatform()

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
  const account = await signUpUser(gatewayUrl)
  await setTier({ configDatabaseUrl, redisUrl }, account.user.id, 'basic')
  page = await openWebhooks(account)
  await page.getByText('No endpoints yet').waitFor()
})
afterAll(() => browser?.close())

async function openWebhooks({ email, password }: TestAccount): Promise<Page> {
  const opened = await (
    await browser.newContext({ reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] })
  ).newPage()
  await opened.goto(`${webUrl}${paths.login}?next=${paths.webhooks}`)
  await opened.getByLabel('Email').fill(email)
  await opened.getByLabel('Password', { exact: true }).fill(password)
  await opened.getByRole('button', { name: 'Sign in', exact: true }).click()
  return opened
}

const row = () => page.getByRole('article', { name: 'Orders desk' })

async function choose(action: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for Orders desk' }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('an endpoint is added, its URL is validated, and its secret is shown once', async () => {
  expect(await findBarriers(page)).toEqual([])
  const sidebar = page.getByRole('navigation', { name: 'Dashboard' })
  await sidebar.getByRole('link', { name: 'Service Keys' }).click()
  await page.waitForURL((url) => url.pathname === paths.serviceKeys)
  await sidebar.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const form = page.getByRole('dialog', { name: 'Add an endpoint' })
  // Pressing its own scrollbar, which is no element, does not close it.
  const { x = 0, y = 0 } = (await form.boundingBox()) ?? {}
  await form.dispatchEvent('mousedown', { clientX: x + 1, clientY: y + 1 })
  await form.getByRole('button', { name: 'Add endpoint' }).click()
  await form.getByText('Give the endpoint a name').waitFor()
  await form.getByLabel('Name').fill('Orders desk')
  await form.getByLabel('URL').fill('https://10.0.0.7/hook')
  await form.getByRole('button', { name: 'Add endpoint' }).click()
  await form.getByText('url must lie on the open internet.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await form.getByLabel('URL').fill('https://hooks.example.com/tapeline')
  await form.getByRole('button', { name: 'Add endpoint' }).click()

  const secret = page.getByRole('dialog', { name: 'Signing secret of Orders desk' })
  await secret.waitFor()
  await page.evaluate('history.back()')
  await page.getByRole('dialog', { name: 'Leave without copying?' }).getByRole('button', { name: 'Stay here' }).click()
  await secret.getByRole('button', { name: 'Copy', exact: true }).click()
  await copiedText(page, /^whsec_/)
  await secret.getByRole('button', { name: 'Done' }).click()
  await secret.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain('whsec_')
  await row().getByText('Active', { exact: true }).waitFor()
})

test('a test event is in the delivery log, with its request', async () => {
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.locator('.toast', { hasText: 'A test event is on its way to Orders desk' }).waitFor()
  const log = page.getByRole('region', { name: 'Deliveries, table' })
  await log.getByRole('row', { name: /webhook\.test/ }).waitFor()
  // The newest delivery is selected automatically, here the test event.
  const delivery = page.getByRole('region', { name: 'webhook.test' })
  await delivery.getByText('POST /tapeline').waitFor()
  await delivery.getByText('"type": "webhook.test"').waitFor()
  await delivery.getByRole('list', { name: 'Attempts' }).getByRole('listitem').first().waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Redeliver a range' }).click()
  const range = page.getByRole('dialog', { name: 'Redeliver to Orders desk' })
  await range.getByText('Delivered', { exact: true }).click()
  expect(await findBarriers(page)).toEqual([])
  await range.getByRole('button', { name: 'Redeliver', exact: true }).click()
  await page.locator('.toast', { hasText: 'No deliveries in this period' }).waitFor()
  await page.setViewportSize({ width: 360, height: 800 })
  await expectWidth(page, 360)
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('a delivery is selected by keyboard and is part of the URL', async () => {
  await page.getByRole('button', { name: 'Send a test event' }).click()
  const rows = page.getByRole('button', { name: 'Details of webhook.test' })
  await rows.nth(1).press('Enter')
  await page.waitForURL(/delivery=/)
  await expectVisible(rows.nth(1).and(page.locator('[aria-pressed="true"]')))
  const { searchParams } = new URL(page.url())
  const event = await page.getByRole('region', { name: 'webhook.test' }).getByText(/^evt_/).textContent()
  await page.goto(`${webUrl}${paths.webhooks}?${searchParams.toString()}`)
  await page
    .getByRole('region', { name: 'webhook.test' })
    .getByText(event ?? '', { exact: true })
    .waitFor()
})

test('on a narrow page the log comes first, and a selected delivery is scrolled into view', async () => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(webUrl + paths.webhooks)
  const delivery = page.getByRole('region', { name: 'webhook.test' })
  const rows = page.getByRole('button', { name: 'Details of webhook.test' })
  await rows.first().waitFor()
  expect(await delivery.isVisible()).toBe(false)
  await rows.first().click()
  await delivery.getByText('POST /tapeline').waitFor()
  expect(await delivery.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(0)
  await expectWidth(page, 360)
  expect(await findBarriers(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('event types are saved together, and at least one is required', async () => {
  const types = page.getByRole('region', { name: 'Event types' })
  await types.getByText('21 of 21 chosen').waitFor()
  await types.getByLabel('key.created').uncheck()
  await types.getByRole('button', { name: 'Discard' }).click()
  await types.getByLabel('key.leaked').uncheck()
  await types.getByLabel('plan.changed').uncheck()
  await types.getByRole('button', { name: 'Save' }).click()
  await page.locator('.toast', { hasText: 'The event types are saved' }).waitFor()
  await types.getByText('19 of 21 chosen').waitFor()
  await page.reload()
  await types.getByText('19 of 21 chosen').waitFor()
  expect(await types.getByLabel('plan.changed').isChecked()).toBe(false)
})

test('a box that changes while a save is running stays changed', async () => {
  const types = page.getByRole('region', { name: 'Event types' })
  let answer: () => void = () => undefined
  const released = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/v1/internal/webhooks/*', async (route) => {
    if (route.request().method() === 'PUT') await released
    await route.continue()
  })
  await types.getByLabel('plan.changed').check()
  await types.getByRole('button', { name: 'Save' }).click()
  await types.getByLabel('key.leaked').check()
  answer()
  await page.locator('.toast', { hasText: 'The event types are saved' }).waitFor()
  expect(await types.getByLabel('key.leaked').isChecked()).toBe(true)
  await types.getByRole('button', { name: 'Save' }).click()
  await types.getByRole('button', { name: 'Save' }).waitFor({ state: 'hidden' })
  await page.unroute('**/api/v1/internal/webhooks/*')
})

test('during a rotation both secrets sign, and the page shows when it ends', async () => {
  const secret = page.getByRole('region', { name: 'Signing secret' })
  await secret.getByText('signs every event; shown only once').waitFor()
  await secret.getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('dialog', { name: 'Rotate the signing secret' }).getByRole('button', { name: 'Rotate' }).click()
  const shown = page.getByRole('dialog', { name: 'Signing secret of Orders desk' })
  await shown.getByRole('button', { name: 'Copy', exact: true }).click()
  await shown.getByRole('button', { name: 'Done' }).click()
  await secret.getByText('Two active secrets').waitFor()
  await secret.getByText('in 23 h').waitFor()
  expect(await secret.getByText('signs every event; shown only once').count()).toBe(1)
})

test('an endpoint is paused, resumed and deleted', async () => {
  await choose('Pause')
  await row().getByText('Paused', { exact: true }).waitFor()
  await choose('Resume')
  await row().getByText('Paused', { exact: true }).waitFor({ state: 'detached' })
  await choose('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No endpoints yet').waitFor()
  expect(await row().count()).toBe(0)
})

test('a plan without webhooks shows which plan has them', async () => {
  const locked = await openWebhooks(await signUpUser(gatewayUrl))
  await locked.getByRole('heading', { name: 'Upgrade to Basic to use webhooks' }).waitFor()
  expect(await findBarriers(locked)).toEqual([])
})
