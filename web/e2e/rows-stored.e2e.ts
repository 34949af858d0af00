import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { fillInSignIn } from './browser.fixture.ts'
import { cutCalls, delayCalls } from './calls-of-page.ts'
import { sessionOf } from './page-of-file.ts'

// Specification §2 and §3: redirects, browser storage, and responses of the API.

const { webUrl, gatewayUrl } = runningPlatform()
const INTERNAL = `${gatewayUrl}/api/v1/internal`
const SETTINGS = `${INTERNAL}/user/settings`

let browser: Browser
let person: TestAccount
beforeAll(async () => {
  browser = await openBrowser()
  person = await signUpUser(gatewayUrl)
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(() => browser?.close())

async function openPage(account?: TestAccount): Promise<Page> {
  const session = account === undefined ? {} : sessionOf(account)
  const page = await (await browser.newContext({ reducedMotion: 'reduce', locale: 'en', ...session })).newPage()
  return page
}

type StoredEntries = Record<string, string>
const entriesOf = (page: Page, storage: 'localStorage' | 'sessionStorage') =>
  page.evaluate<StoredEntries>(`({ ...${storage} })`)

describe('redirects', () => {
  test('an already authenticated visitor who opens a page in this layout is redirected to /dashboard', async () => {
    const page = await openPage(person)
    const { home, about, pricing, login, signup, forgotPassword, resetPassword } = paths
    for (const path of [home, about, pricing, login, signup, forgotPassword, resetPassword]) {
      await page.goto(webUrl + path, { waitUntil: 'commit' })
      await page.waitForURL(webUrl + paths.profile)
    }
    await page.getByText('Personal Information').waitFor()
    expect(page.url()).toBe(webUrl + paths.profile)
  })

  test('/dashboard with code and state is shown without the guard, and processed once: a flag is kept in session and local storage', async () => {
    const page = await openPage()
    const end = await delayCalls(page, { to: `${INTERNAL}/oauth/google/callback` })
    await page.goto(`${webUrl}${paths.profile}?code=c&state=${'s'.repeat(43)}`)
    await page.getByText('Finishing your sign-in').waitFor({ state: 'attached' })
    expect(page.url()).toBe(webUrl + paths.profile)
    for (const storage of ['localStorage', 'sessionStorage'] as const)
      expect(await entriesOf(page, storage)).toMatchObject({ oauthProcessed: 's'.repeat(43) })
    end('answered')
    await page.locator('.toast', { hasText: 'Authentication Failed' }).getByText('Please try again').waitFor()
    await page.waitForURL(webUrl + paths.login)
  })

  test('default view: analytics and reports are enumerated too, and lead to the metrics', async () => {
    const body = { user_settings: JSON.stringify({ dashboardDefaultView: 'reports' }) }
    const account = await signUpUser(gatewayUrl)
    expect((await send(SETTINGS, { method: 'PUT', token: account.jwtToken, body })).status).toBe(200)
    const page = await openPage()
    await page.goto(webUrl + paths.login)
    await fillInSignIn(page, account)
    await page.waitForURL(webUrl + paths.metrics)
  })
})

describe('browser storage', () => {
  test('jwtToken, refreshToken, expiresAt (number), user (JSON), isAuthenticated, identity and provider (default NONE), theme preference', async () => {
    const page = await openPage()
    await page.goto(webUrl + paths.login)
    await page.getByRole('button', { name: 'Theme: dark' }).click()
    await fillInSignIn(page, person)
    await page.waitForURL(webUrl + paths.profile)
    const hasRole = `JSON.parse(localStorage.getItem('user') ?? '{}').role !== undefined`
    await waitUntil('the details have arrived', () => page.evaluate<boolean>(hasRole))
    const entries = await entriesOf(page, 'localStorage')
    expect(entries).toMatchObject({
      isAuthenticated: 'true',
      identity: 'NONE',
      provider: 'NONE',
      'tapeline-theme': 'system',
    })
    expect(entries['jwtToken']?.split('.')).toHaveLength(3)
    expect(entries['refreshToken']?.length).toBeGreaterThan(20)
    expect(Number(entries['expiresAt'])).toBeGreaterThan(Date.now())
    const user = JSON.parse(entries['user'] ?? '{}') as Record<string, unknown>
    expect(Object.keys(user)).toEqual(expect.arrayContaining(CLIENT_USER))
    expect(user).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', email: person.email, role: 'user' })
  })

  test('the user as kept in the client: status default active, subscriptionTier free, reminderTime 9, reminderMethod email', async () => {
    const page = await openPage(person)
    await cutCalls(page, { to: `${INTERNAL}/user/details` })
    const { id } = person.user
    const stored = JSON.stringify({ id, email: person.email, role: 'user' })
    await page.addInitScript(`if (!sessionStorage.begun) localStorage.setItem('user', ${JSON.stringify(stored)})`)
    await page.goto(webUrl + paths.profile)
    await page.getByText('Personal Information').waitFor()
    await page.evaluate(`sessionStorage.setItem('begun', 'yes')`)
    const asStored = { status: 'active', subscriptionTier: 'free', reminderTime: 9, reminderMethod: 'email' }
    const isKept = `JSON.parse(localStorage.getItem('user')).reminderTime !== undefined`
    await waitUntil('the user is kept', () => page.evaluate<boolean>(isKept))
    expect(JSON.parse((await entriesOf(page, 'localStorage'))['user'] ?? '{}')).toMatchObject(asStored)
    await page.getByText('Member Since').locator('xpath=..').getByText('N/A').waitFor()
  })
})

const CLIENT_USER = [
  'id',
  'firstName',
  'lastName',
  'email',
  'mobile',
  'status',
  'emailVerified',
  'subscriptionTier',
  'reminderEnabled',
  'reminderTime',
  'reminderMethod',
  'lastLoginAt',
  'role',
  'featureFlags',
  'profile_picture',
]
