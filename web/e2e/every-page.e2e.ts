import { createKeyFor, listTrades, signUpSomebody, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/find-barriers'
import { callOperator } from '@tapeline/testing/operator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const PUBLIC = [paths.home, paths.login, paths.signup, paths.pricing, paths.forgotPassword, paths.resetPassword]
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
  await page.goto(webUrl + path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  return page
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
