import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { fillInSignIn } from './browser.fixture.ts'
import { expectVisible, pageOfFile } from './page-of-file.ts'

// Specification §2, dashboard layout, and §4, theme and sign-out: one session from sign-in to sign-out.

const { webUrl, gatewayUrl } = runningPlatform()
const USER = `${gatewayUrl}/api/v1/internal/user`
const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 360, height: 800 }

let person: TestAccount
beforeAll(async () => {
  person = await signUpUser(gatewayUrl)
})
const page = pageOfFile(() => ({ viewport: WIDE }))

const button = (name: string) => page().getByRole('button', { name })
const stored = (name: string) => page().evaluate<string | null>(`localStorage.getItem(${JSON.stringify(name)})`)

test('unauthenticated users are sent to /login, and after sign-in to the requested page', async () => {
  await page().goto(webUrl + paths.settings)
  await page().waitForURL((url) => url.pathname === paths.login)
  await fillInSignIn(page(), person)
  await page().waitForURL(webUrl + paths.settings)
  await expectVisible(page().getByRole('heading', { level: 1, name: 'Settings' }))
})

test('the sidebar: Profile (/dashboard), API Keys (/dashboard/api-keys), API Key Audit (/dashboard/metrics), Settings (/dashboard/settings)', async () => {
  // Some entries come with the user's feature flags.
  await expectVisible(page().locator('.sidebar .nav a', { hasText: 'Reports' }))
  const entries = await page().locator('.sidebar .nav a').all()
  const found = entries.map(async (entry) => [await entry.textContent(), await entry.getAttribute('href')])
  expect(await Promise.all(found)).toEqual([
    ['Profile', '/dashboard'],
    ['API Keys', '/dashboard/api-keys'],
    ['Service Keys', '/dashboard/service-keys'],
    ['API Key Audit', '/dashboard/metrics'],
    ['Market', '/dashboard/market'],
    ['Downloads', '/dashboard/downloads'],
    ['Webhooks', '/dashboard/webhooks'],
    ['Reports', '/dashboard/reports'],
    ['Plan', '/dashboard/plan'],
    ['Audit Trail', '/dashboard/audit-trail'],
    ['Settings', '/dashboard/settings'],
  ])
})

test('the header: page title, a search box, a notification bell, a theme switcher, and a user menu (Profile, Settings, Sign Out)', async () => {
  const header = page().getByRole('banner')
  await header.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  for (const name of ['Search or jump to', 'Notifications', 'Theme: dark', 'Account: Ada']) {
    await expectVisible(header.getByRole('button', { name }))
  }
  await button('Account: Ada').click()
  await page().getByRole('menuitem').first().waitFor()
  expect(await page().getByRole('menuitem').allTextContents()).toEqual(['Profile', 'Settings', 'Sign Out'])
  await page().getByRole('menuitem', { name: 'Profile' }).click()
  await page().waitForURL(webUrl + paths.profile)
  await header.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
})

test('the sidebar collapses, and stays collapsed', async () => {
  const width = async () => (await page().locator('.sidebar').boundingBox())?.width ?? 0
  const before = await width()
  await button('Collapse sidebar').click()
  await waitUntil('the sidebar is narrow', async () => (await width()) < before / 2)
  await page().reload()
  await button('Expand sidebar').waitFor()
  await waitUntil('the sidebar is narrow', async () => (await width()) < before / 2)
  await button('Expand sidebar').click()
  await waitUntil('the sidebar is as wide as before', async () => (await width()) === before)
})

test('on mobile the sidebar is a drawer', async () => {
  await page().setViewportSize(NARROW)
  await page().locator('.sidebar').waitFor({ state: 'hidden' })
  await button('Open navigation').click()
  const drawer = page().getByRole('dialog', { name: 'Navigation' })
  await expectVisible(drawer)
  await drawer.getByRole('link', { name: 'Settings' }).click()
  await page().waitForURL(webUrl + paths.settings)
  await drawer.waitFor({ state: 'detached' })
  await button('Open navigation').click()
  await page().keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await page().setViewportSize(WIDE)
})

test('the theme cycles light, dark, system; system follows the operating-system preference live; the choice is stored and saved to settings', async () => {
  const textColor = () => page().evaluate<string>('getComputedStyle(document.body).color')
  await page().emulateMedia({ colorScheme: 'light' })
  const dark = await textColor()
  await button('Theme: dark').click()
  await button('Theme: system').waitFor()
  const light = await textColor()
  expect(light).not.toBe(dark)
  await page().emulateMedia({ colorScheme: 'dark' })
  await waitUntil('the page is dark', async () => (await textColor()) === dark)
  await button('Theme: system').click()
  await button('Theme: light').waitFor()
  expect([await textColor(), await stored('tapeline-theme')]).toEqual([light, 'light'])
  await waitUntil('the settings have it', async () => {
    const { body } = await send<{ data: { user_settings: { theme: string } } }>(`${USER}/settings`, {
      token: person.jwtToken,
    })
    return body.data.user_settings.theme === 'light'
  })
})

test('Sign Out removes token, refresh token, expiry and user, clears session storage and cookies, and goes to /', async () => {
  const token = (await stored('jwtToken')) ?? ''
  await page().evaluate(`sessionStorage.setItem('something', 'of the session')`)
  await button('Account: Ada').click()
  await page().getByRole('menuitem', { name: 'Sign Out' }).click()
  await page().waitForURL(`${webUrl}/`)
  for (const name of ['jwtToken', 'refreshToken', 'expiresAt', 'user', 'isAuthenticated']) {
    expect([name, await stored(name)]).toEqual([name, null])
  }
  expect(await page().evaluate<string | null>(`sessionStorage.getItem('something')`)).toBeNull()
  const cookies = await page().context().cookies()
  expect(cookies.filter(({ name }) => name.includes('session'))).toEqual([])
  const isRefused = async () => (await send(`${USER}/details`, { token })).status === 401
  await waitUntil('the session has ended', isRefused)
  await page().goto(webUrl + paths.profile)
  await page().waitForURL((url) => url.pathname === paths.login)
})
