import { signUpUser } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile, fillInSignIn, signInOn } from './browser.fixture.ts'
import { cutCalls } from './calls-of-page.ts'
import { expectVisible } from './page-of-file.ts'

// Specification §2, §4 and §8: a sign-in that fails half-way, two tabs, a session ended elsewhere.

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const operator = callOperator(platform)
afterAll(() => operator.close())

const browser = browserOfFile()
let page: Page
beforeEach(async () => {
  page = await browser.newPage()
})

const entry = (where: Page, name: string) => where.getByRole('navigation').getByRole('link', { name }).first()
const stored = (name: string) => page.evaluate<string | null>(`localStorage.getItem(${JSON.stringify(name)})`)

test('details fetch after login fails: basic user data kept without role', async () => {
  const admin = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  const restore = await cutCalls(page, { to: '**/api/v1/internal/user/details' })
  await signInOn(page, admin)
  await page.getByRole('region', { name: 'Personal Information' }).getByText(admin.email).waitFor()
  expect(await page.getByRole('link', { name: 'Admin Controls' }).count()).toBe(0)
  expect(JSON.parse((await stored('user')) ?? '{}')).toMatchObject({ email: admin.email })
  await restore()
  await page.reload()
  await entry(page, 'Admin Controls').waitFor()
})

test('API Keys, API Key Audit and the Quick Action tiles depend on per-user feature flags: without flags they are hidden', async () => {
  const person = await signUpUser(gatewayUrl)
  // Only the details call returns flags.
  const restore = await cutCalls(page, { to: '**/api/v1/internal/user/details' })
  await signInOn(page, person)
  await page.getByText('Personal Information').waitFor()
  const entries = page.locator('.sidebar .nav a')
  expect(await entries.allTextContents()).toEqual([
    'Profile',
    'Market',
    'Downloads',
    'Webhooks',
    'Plan',
    'Audit Trail',
    'Settings',
  ])
  expect(await page.getByRole('region', { name: 'Quick Actions' }).count()).toBe(0)
  await restore()
  await page.reload()
  await page.getByRole('region', { name: 'Quick Actions' }).waitFor()
  expect(await entries.allTextContents()).toEqual([
    'Profile',
    'API Keys',
    'Service Keys',
    'API Key Audit',
    'Market',
    'Downloads',
    'Webhooks',
    'Reports',
    'Plan',
    'Audit Trail',
    'Settings',
  ])
})

test("a provider callback without a response: 'Authentication Error', 'Something went wrong during login', and a retry", async () => {
  await cutCalls(page, { to: '**/api/v1/internal/oauth/google/callback' })
  await page.goto(`${webUrl}${paths.profile}?code=some-code&state=some-state`)
  const toast = page.locator('.toast', { hasText: 'Authentication Error' })
  await toast.getByText('Something went wrong during login').waitFor()
  await page.waitForURL((url) => url.pathname === paths.login)
  expect(await stored('oauthProcessed')).toBeNull()
  expect(await page.evaluate<string | null>(`sessionStorage.getItem('oauthProcessed')`)).toBeNull()
})

test('two tabs: signing out in one signs out the other, and so does signing in', async () => {
  const person = await signUpUser(gatewayUrl)
  await signInOn(page, person)
  const other = await page.context().newPage()
  await other.goto(webUrl + paths.settings)
  await other.getByRole('heading', { name: 'Appearance' }).waitFor()
  await page.getByRole('button', { name: 'Account: Ada' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await page.waitForURL(`${webUrl}/`)
  await other.waitForURL((url) => url.pathname === paths.login)

  await page.goto(webUrl + paths.login)
  await fillInSignIn(page, person)
  await page.waitForURL((url) => url.pathname === paths.profile)
  await other.waitForURL((url) => url.pathname === paths.settings)
  await expectVisible(other.getByRole('heading', { name: 'Appearance' }))
})

test('a session ended from another browser is redirected to /login, and back after signing in', async () => {
  const person = await signUpUser(gatewayUrl)
  await signInOn(page, person, paths.plan)
  await page.getByRole('region', { name: 'Usage against limits' }).waitFor()
  const elsewhere = await browser.newPage()
  await signInOn(elsewhere, person)
  await elsewhere.getByRole('button', { name: 'Sign out other sessions' }).click()
  await elsewhere.getByRole('dialog').getByRole('button', { name: 'Sign out other sessions' }).click()
  await page.waitForURL((url) => url.pathname === paths.login)
  await page.locator('.toast', { hasText: 'Your session has ended' }).waitFor()
  expect([await stored('jwtToken'), await stored('refreshToken'), await stored('user')]).toEqual([null, null, null])
  await fillInSignIn(page, person)
  await page.waitForURL((url) => url.pathname === paths.plan)
  await elsewhere.getByText('Personal Information').waitFor()
})
