import { createKeyFor, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { delayCalls } from './calls-of-page.ts'
import { returnFromGoogle } from './google-return.ts'
import { sessionOf } from './page-of-file.ts'

// Specification §9, durations, measured with a clock that the test controls, so that machine speed does not matter.

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
/** The pages use real time until it is paused here. */
const STOPPED_AFTER_MS = 60_000

let browser: Browser
let person: TestAccount
beforeAll(async () => {
  person = await signUpUser(gatewayUrl)
  await createKeyFor(gatewayUrl, person.jwtToken, 'notebook')
  browser = await openBrowser()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(() => browser?.close())

async function openPage(account = person): Promise<Page> {
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = await browser.newContext({ reducedMotion: 'reduce', permissions, ...sessionOf(account) })
  const page = await context.newPage()
  await page.clock.install()
  return page
}

async function stopTime(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + STOPPED_AFTER_MS)
}

/** Runs pending React work and promises without advancing timers. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => (port1.close(), resolve())
        port2.postMessage(0)
      })
    }
  })()`)
}

test('toast default 5000 ms', async () => {
  const page = await openPage()
  await page.goto(webUrl + paths.apiKeys)
  await page.getByRole('button', { name: 'Mask notebook' }).click()
  await stopTime(page)
  await page.getByRole('button', { name: 'Copy notebook' }).click()
  const toast = page.locator('.toast', { hasText: 'Cannot copy masked API key' })
  await toast.waitFor()
  await settle(page)
  await page.clock.runFor(4_999)
  expect(await toast.count()).toBe(1)
  await page.clock.runFor(1)
  await toast.waitFor({ state: 'detached' })
})

test('copy confirmation 2 s', async () => {
  const page = await openPage()
  await page.goto(webUrl + paths.apiKeys)
  const copy = page.getByRole('button', { name: 'Copy prefix of notebook' })
  await copy.waitFor()
  await stopTime(page)
  await copy.click()
  const notice = page.getByRole('article').getByText('Copied', { exact: true })
  await notice.waitFor({ state: 'attached' })
  await settle(page)
  await page.clock.runFor(1_999)
  expect(await notice.count()).toBe(1)
  await page.clock.runFor(1)
  await notice.waitFor({ state: 'detached' })
})

test('copy confirmation 1.5 s in the new-key dialog', async () => {
  const page = await openPage()
  await page.goto(`${webUrl}${paths.apiKeys}?new=key`)
  await page.getByLabel('Key Name').fill('throw-away')
  await page.getByRole('dialog').getByRole('button', { name: 'Create API Key' }).click()
  const dialog = page.getByRole('dialog', { name: 'API Key Created' })
  await dialog.waitFor()
  await stopTime(page)
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  const notice = dialog.getByRole('button', { name: 'Copied' })
  await notice.waitFor()
  await settle(page)
  await page.clock.runFor(1_499)
  expect(await notice.count()).toBe(1)
  await page.clock.runFor(1)
  await notice.waitFor({ state: 'detached' })
})

test('settings autosave delay 1000 ms; settings-saved message 3 s', async () => {
  const page = await openPage()
  let saves = 0
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/user/settings')) saves += 1
  })
  await page.goto(webUrl + paths.settings)
  await page.getByLabel('Compact mode').waitFor()
  await stopTime(page)
  await page.getByLabel('Compact mode').check()
  await page.getByText('1 unsaved change').waitFor()
  await page.clock.runFor(999)
  await settle(page)
  expect(saves).toBe(0)
  await page.clock.runFor(1)
  const saved = page.getByText('Settings saved successfully!')
  await saved.waitFor()
  expect(saves).toBe(1)
  await page.clock.runFor(2_999)
  await settle(page)
  expect(await saved.count()).toBe(1)
  await page.clock.runFor(1)
  await saved.waitFor({ state: 'detached' })
})

test('admin success message about 2.8 s', async () => {
  const admin = await signUpUser(gatewayUrl)
  const operator = callOperator(platform)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  await operator.close()
  const body = { flag_key: `e2e_${crypto.randomUUID().replaceAll('-', '_')}`, role: 'admin', enabled: false }
  expect((await send(`${gatewayUrl}/api/v1/admin/feature-flags`, { token: admin.jwtToken, body })).status).toBe(201)
  const page = await openPage(admin)
  await page.goto(webUrl + paths.admin)
  await page.getByRole('searchbox', { name: 'Find a flag' }).fill(body.flag_key)
  const toggle = page.getByRole('switch', { name: body.flag_key })
  await toggle.waitFor()
  await stopTime(page)
  await toggle.dispatchEvent('click')
  const toast = page.locator('.toast', { hasText: `${body.flag_key} is on` })
  await toast.waitFor()
  await settle(page)
  await page.clock.runFor(2_700)
  expect(await toast.count()).toBe(1)
  await page.clock.runFor(200)
  await toast.waitFor({ state: 'detached' })
})

test('auth spinner delay 100 ms, while the role of a stored user is loaded', async () => {
  const page = await openPage()
  await stopTime(page)
  const end = await delayCalls(page, { to: '**/api/v1/internal/user/details' })
  await page.goto(webUrl + paths.profile)
  const waiting = page.locator('.waiting')
  await waiting.waitFor({ state: 'attached' })
  await settle(page)
  await page.clock.runFor(99)
  expect(await waiting.locator('.busy').count()).toBe(0)
  await page.clock.runFor(1)
  await waiting.locator('.busy').waitFor()
  await waiting.getByText('Loading your session').waitFor({ state: 'attached' })
  await page.clock.resume()
  end('answered')
  await page.getByText('Personal Information').waitFor()
})

test('user details are fetched 0.5 s after the identity-provider callback, which is processed once', async () => {
  const { binding, search } = await returnFromGoogle({ email: `${crypto.randomUUID()}@example.com` })
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.clock.install()
  await stopTime(page)
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname.split('/').slice(4).join('/')))
  const times = (path: string) => requested.filter((one) => one === path).length
  await page.addInitScript(`sessionStorage.setItem('oauthBinding', ${JSON.stringify(binding)})`)
  await page.goto(`${webUrl}${paths.profile}?${search.toString()}`)
  await page.locator('.toast', { hasText: 'Account Created Successfully!' }).waitFor()
  await settle(page)
  await page.getByRole('heading', { name: 'API Keys', level: 1 }).waitFor()
  const before = times('user/details')
  await page.clock.runFor(499)
  await settle(page)
  expect(times('user/details')).toBe(before)
  await page.clock.runFor(1)
  await waitUntil('the details are requested', () => times('user/details') === before + 1)
  await page.getByRole('link', { name: 'API Key Audit' }).first().waitFor()
  expect(times('oauth/google/callback')).toBe(1)
  expect(page.url()).toBe(webUrl + paths.apiKeys)
})
