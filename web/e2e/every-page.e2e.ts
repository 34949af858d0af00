import { createKeyFor, listTrades, signUpSomebody, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/find-barriers'
import { callOperator } from '@tapeline/testing/operator'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const PUBLIC = [
  paths.home,
  paths.login,
  paths.signup,
  paths.pricing,
  paths.forgotPassword,
  paths.resetPassword,
  paths.about,
  paths.status,
  paths.contact,
  paths.gdpr,
  paths.blog,
  paths.blogGateway,
]
const SIGNED_IN = [
  paths.profile,
  paths.apiKeys,
  paths.metrics,
  paths.settings,
  paths.requests,
  paths.auditTrail,
  paths.plan,
  paths.admin,
  `${paths.admin}?tab=configs`,
]

const LOADED_WITHIN_MS = 60_000
const QUIET_MS = 300

let browser: Browser
let account: TestAccount

beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpSomebody(gatewayUrl)
  // Who sees every page.
  const operator = callOperator(platform)
  await operator.ofUsers('set-role', account.user.id, 'admin')
  await operator.leave()
  const { apiKey } = await createKeyFor(gatewayUrl, account.jwtToken, 'notebook')
  await listTrades(gatewayUrl, apiKey)
})
afterAll(() => browser?.close())

async function openPage(path: string, width: number, theme: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(webUrl + paths.login)
  await page.evaluate(`localStorage.setItem('tapeline-theme', ${JSON.stringify(theme)})`)
  if (SIGNED_IN.some((one) => one === path)) {
    await page.getByLabel('Email').fill(account.email)
    await page.getByLabel('Password', { exact: true }).fill(account.password)
    await page.getByRole('button', { name: /^Sign in/ }).click()
    await page.waitForURL(webUrl + paths.profile)
  }
  const isQuiet = watchRequests(page)
  await page.goto(webUrl + path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await waitUntil('the page has everything it asked for', isQuiet, LOADED_WITHIN_MS)
  return page
}

/** Whether nothing was on its way for a moment; the stream of events stays open for good. */
function watchRequests(page: Page): () => boolean {
  const open = new Set<object>()
  let quietSinceMs = Date.now()
  const over = (request: object): void => {
    open.delete(request)
    quietSinceMs = Date.now()
  }
  page.on('request', (request) => {
    if (!request.url().includes('/internal/events')) open.add(request)
  })
  page.on('requestfinished', over)
  page.on('requestfailed', over)
  return () => open.size === 0 && Date.now() - quietSinceMs > QUIET_MS
}

describe.each([
  [1440, 'dark'],
  [360, 'light'],
] as const)('%i px, %s', (width, theme) => {
  test.each([...PUBLIC, ...SIGNED_IN])(
    '%s has no barrier that axe finds, and nothing scrolls sideways',
    async (path) => {
      const page = await openPage(path, width, theme)
      expect(await findBarriers(page)).toEqual([])
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page.evaluate<number>(overflow)).toBeLessThanOrEqual(0)
      await page.context().close()
    },
  )
})
