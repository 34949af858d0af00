import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { beforeEach, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile, fillInSignIn, signInOn } from './browser.fixture.ts'
import { delayCalls } from './calls-of-page.ts'

const { webUrl, gatewayUrl } = runningPlatform()
const SETTINGS = `${gatewayUrl}/api/v1/internal/user/settings`
const SAVED = 'Settings saved successfully!'

const browser = browserOfFile()
let page: Page
let person: TestAccount
beforeEach(async () => {
  person = await signUpUser(gatewayUrl)
  page = await browser.newPage()
})

const choose = (where: Page, group: string, option: string) =>
  where.getByRole('radiogroup', { name: group }).getByText(option, { exact: true }).click()

async function savedSettings(): Promise<Record<string, unknown>> {
  const { body } = await send<{ data: { user_settings: Record<string, unknown> } }>(SETTINGS, {
    token: person.jwtToken,
  })
  return body.data.user_settings
}

test('a change immediately before Sign Out is saved', async () => {
  await signInOn(page, person, paths.settings)
  await choose(page, 'Items per page', '50')
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await page.waitForURL(webUrl + paths.home)
  const { body } = await send<{ data: { jwtToken: string } }>(`${gatewayUrl}/api/v1/internal/user/login`, {
    method: 'POST',
    body: { email: person.email, password: person.password },
  })
  person = { ...person, jwtToken: body.data.jwtToken }
  expect(await savedSettings()).toMatchObject({ dashboardItemsPerPage: 50 })
})

test('a change applies at once, is saved automatically, and is present after the next sign-in, which opens the default view', async () => {
  await signInOn(page, person, paths.settings)
  await page.getByRole('heading', { name: 'Appearance' }).waitFor()
  expect(await page.getByRole('button', { name: 'Save Changes' }).count()).toBe(0)
  // Nothing is saved before all is changed.
  const end = await delayCalls(page, { to: SETTINGS, method: 'PUT' })
  await choose(page, 'Theme', 'Light')
  await page.getByRole('button', { name: 'Save Changes' }).waitFor()
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light')
  await page.getByLabel('Compact mode').check()
  expect(await page.evaluate('document.documentElement.dataset.density')).toBe('compact')
  await page.getByLabel('Timezone').selectOption('America/New_York')
  await choose(page, 'Default view', 'Metrics')
  await choose(page, 'Items per page', '50')
  await choose(page, 'Frequency', 'Weekly')
  await page.getByLabel('Email notifications').uncheck()
  end('answered')
  await page.getByText(SAVED).waitFor()
  expect(await savedSettings()).toEqual({
    theme: 'light',
    language: 'en',
    timezone: 'America/New_York',
    dashboardDefaultView: 'metrics',
    dashboardItemsPerPage: 50,
    dashboardCompactMode: true,
    emailNotifications: false,
    pushNotifications: true,
    notificationFrequency: 'weekly',
  })
  await page.getByText(SAVED).waitFor({ state: 'hidden' })

  const elsewhere = await browser.newPage()
  await elsewhere.goto(webUrl + paths.login)
  page = elsewhere
  await fillInSignIn(page, person)
  await page.waitForURL(webUrl + paths.metrics)
  await page.locator('html[data-theme="light"][data-density="compact"]').waitFor()
})

test('settings can be reset to the defaults, and the reset can be undone', async () => {
  const user_settings = JSON.stringify({ timezone: 'Europe/London', dashboardItemsPerPage: 10 })
  await send(SETTINGS, { method: 'PUT', token: person.jwtToken, body: { user_settings } })
  await signInOn(page, person, paths.settings)
  const endReset = await delayCalls(page, { to: SETTINGS, method: 'PUT' })
  await page.getByRole('button', { name: 'Reset to defaults' }).click()
  await page.getByText('2 unsaved changes').waitFor()
  endReset('answered')
  await page.getByText(SAVED).waitFor()
  expect(await savedSettings()).toMatchObject({ timezone: 'UTC', dashboardItemsPerPage: 20 })
  // The button is there until the changes are saved.
  const endUndo = await delayCalls(page, { to: SETTINGS, method: 'PUT' })
  await page.getByRole('button', { name: 'Undo the reset' }).click()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  endUndo('answered')
  await page.getByText(SAVED).waitFor()
  expect(await savedSettings()).toMatchObject({ timezone: 'Europe/London', dashboardItemsPerPage: 10 })
})

test('two tabs: changes of either are kept; for a setting that both changed, the user is asked', async () => {
  // Without the event about the other tab's change, the conflict is detected on saving.
  await page.route(/\/events(\?|$)/, (route) => route.abort())
  await signInOn(page, person, paths.settings)
  await page.getByRole('heading', { name: 'Appearance' }).waitFor()
  const user_settings = JSON.stringify({ dashboardCompactMode: true, timezone: 'Europe/London' })
  await send(SETTINGS, { method: 'PUT', token: person.jwtToken, body: { user_settings } })
  await choose(page, 'Items per page', '10')
  await page.getByText(SAVED).waitFor()
  expect(await savedSettings()).toMatchObject({ dashboardCompactMode: true, dashboardItemsPerPage: 10 })

  await page.context().setOffline(true)
  await choose(page, 'Frequency', 'Weekly')
  await page.getByText('Failed to save settings').waitFor()
  await send(SETTINGS, {
    method: 'PUT',
    token: person.jwtToken,
    body: { user_settings: '{"notificationFrequency":"immediate"}' },
  })
  await page.context().setOffline(false)
  await page.getByText('Frequency: now Immediate').waitFor()
  expect(await savedSettings()).toMatchObject({ notificationFrequency: 'immediate' })
  await page.getByRole('button', { name: 'Use the current version' }).click()
  await page.getByRole('radio', { name: 'Immediate', checked: true }).waitFor()
})

test('without the API no setting is lost: Failed to save settings, then saved once the API answers', async () => {
  await signInOn(page, person, paths.settings)
  await page.getByRole('heading', { name: 'Appearance' }).waitFor()
  await page.context().setOffline(true)
  await page.getByLabel('Compact mode').check()
  await page.getByText('Failed to save settings').waitFor()
  await page.getByText('1 unsaved change').waitFor()
  await page.context().setOffline(false)
  await page.getByText(SAVED).waitFor()
  expect(await savedSettings()).toMatchObject({ dashboardCompactMode: true })
})

test('a browser that blocks notifications shows a message and creates no subscription', async () => {
  await signInOn(page, person, paths.settings)
  await page.getByText('This browser blocks notifications from this site').waitFor()
  expect(await page.getByRole('button', { name: 'Turn on in this browser' }).count()).toBe(0)
  await page.getByLabel('Push notifications').uncheck()
  await page.getByText('This browser blocks notifications from this site').waitFor({ state: 'hidden' })
})

test('a start of the dashboard renews the push subscription only for the user who turned pushes on in this browser', async () => {
  const renewals: string[] = []
  page.on('request', (request) => request.url().includes('/assets/open-browser-push-') && renewals.push(request.url()))
  await signInOn(page, person)
  const startWith = async (userId: string): Promise<void> => {
    await page.evaluate(`localStorage.setItem('tapeline-push', '${userId}')`)
    await page.reload()
    await page.getByRole('heading', { name: 'Personal Information' }).waitFor()
    await page.evaluate('new Promise((then) => requestIdleCallback(then))')
  }
  await startWith(crypto.randomUUID())
  expect(renewals).toEqual([])
  const renewed = page.waitForRequest('**/assets/open-browser-push-*.js')
  await startWith(person.user.id)
  await renewed
})
