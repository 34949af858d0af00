import { createKeyFor, send } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../../tests/platform/running-platform.ts'
import { fillInSignIn, mailedLink } from '../browser.fixture.ts'
import { paths } from '../../src/paths.ts'
import { expectVisible } from '../page-of-file.ts'
import { expectVisibleAfter, outageOfFile, type Ready } from './outage-of-file.ts'

// The API is killed and restarted while pages are open: messages when there is no response.

const { webUrl, gatewayUrl } = runningPlatform()
const NO_ANSWER = 'The API cannot be reached. Please try again.'
const NEW_PASSWORD = 'Another horse, battery 2'
const CONFIG = `e2e.outage_${crypto.randomUUID().replaceAll('-', '_')}`

let ready: Ready
let resetTab: Page
let visitorTab: Page
let keysTab: Page
let settingsTab: Page
let configsTab: Page
let loads = 0

const outage = outageOfFile('gateway', async (prepared) => {
  ready = prepared
  const { email, jwtToken: token } = ready.account
  const updates = [{ key: CONFIG, value: { a: 1 } }]
  const configs = `${gatewayUrl}/api/v1/admin/global-configs`
  expect((await send(configs, { method: 'PUT', token, body: { updates } })).status).toBe(200)
  const forgot = `${gatewayUrl}/api/v1/internal/user/forgot-password`
  expect((await send(forgot, { body: { email } })).status).toBe(200)
  resetTab = await ready.newTab()
  await resetTab.goto(await mailedLink(email, paths.resetPassword))
  await resetTab.getByLabel('New password').waitFor()
  visitorTab = await ready.newTab()
  settingsTab = await ready.signedInTab(paths.settings)
  await settingsTab.getByRole('heading', { name: 'Appearance' }).waitFor()
  configsTab = await ready.signedInTab(
    `${paths.admin}?${new URLSearchParams({ tab: 'configs', key: CONFIG }).toString()}`,
  )
  await configsTab.getByRole('button', { name: 'Edit', exact: true }).click()
  keysTab = await ready.signedInTab(paths.apiKeys)
  await keysTab.getByText('No API Keys Yet').waitFor()
  keysTab.on('load', () => (loads += 1))
})

const connection = (tab: Page) => tab.getByRole('region', { name: 'Connection' })

test("settings: 'Failed to save settings', 'API not available'", async () => {
  await settingsTab.bringToFront()
  await settingsTab.getByLabel('Compact mode').check()
  const message = settingsTab
    .locator('p', { hasText: 'Failed to save settings' })
    .filter({ hasText: 'API not available' })
  await expectVisibleAfter(settingsTab, 'Save Changes', message)
})

test('a banner shows that the API cannot be reached and the age of the data', async () => {
  await expectVisible(
    connection(settingsTab).getByText(/The API cannot be reached\. The data shown is from \d+ \w+ ago\./),
  )
})

test("'Failed to load settings', 'API not available'", async () => {
  const tab = await ready.signedInTab(paths.settings)
  const alert = tab.getByRole('alert').filter({ hasText: 'Failed to load settings' })
  await expectVisible(alert.getByText('API not available'))
  await tab.close()
})

test("global config save, exception: 'Error updating configuration: {message}'", async () => {
  await editor().fill('{ "a": 2 }')
  await configsTab.getByRole('button', { name: 'Save', exact: true }).click()
  await expectVisible(configsTab.getByRole('alert').getByText(`Error updating configuration: ${NO_ANSWER}`))
})

const editor = () => configsTab.getByRole('textbox', { name: `JSON of ${CONFIG}` })

test("reset password: 'An error occurred while resetting your password. Please try again.'", async () => {
  await resetTab.getByLabel('New password').fill(NEW_PASSWORD)
  await resetTab.getByLabel('Confirm password').fill(NEW_PASSWORD)
  await resetTab.getByRole('button', { name: 'Reset password' }).click()
  const text = 'An error occurred while resetting your password. Please try again.'
  await expectVisible(resetTab.getByRole('alert').getByText(text, { exact: true }))
})

test("forgot password, exception: 'An error occurred while sending the reset email. Please try again.'", async () => {
  await visitorTab.goto(webUrl + paths.forgotPassword)
  await visitorTab.getByLabel('Email').fill(ready.account.email)
  await visitorTab.getByRole('button', { name: 'Send reset link' }).click()
  const text = 'An error occurred while sending the reset email. Please try again.'
  await expectVisible(visitorTab.getByRole('alert').getByText(text, { exact: true }))
})

test("any login failure: 'Incorrect username or password'; 'Failed to initiate Google login. Please try again.'", async () => {
  await visitorTab.goto(webUrl + paths.login)
  await fillInSignIn(visitorTab, ready.account)
  await expectVisible(visitorTab.getByRole('alert').getByText('Incorrect username or password', { exact: true }))
  await visitorTab.getByRole('button', { name: 'Continue with Google' }).click()
  await expectVisible(visitorTab.getByText('Failed to initiate Google login. Please try again.', { exact: true }))
})

test('signup, on exception: its message', async () => {
  await visitorTab.goto(webUrl + paths.signup)
  const texts = { 'First name': 'Grace', 'Last name': 'Hopper', Email: 'grace@example.com', Mobile: '+1 555 0100' }
  for (const [label, text] of Object.entries(texts)) await visitorTab.getByLabel(label).fill(text)
  await visitorTab.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await visitorTab.getByLabel('Confirm password', { exact: true }).fill(NEW_PASSWORD)
  await visitorTab.getByLabel('I agree').check()
  await visitorTab.getByRole('button', { name: 'Create account' }).click()
  await expectVisible(visitorTab.getByRole('alert').getByText(NO_ANSWER))
})

test("a provider callback, on a thrown error: 'Authentication Error', 'Something went wrong during login'; a retry is possible", async () => {
  await visitorTab.goto(`${webUrl}${paths.profile}?code=some-code&state=${'s'.repeat(43)}`)
  const toast = visitorTab.locator('.toast', { hasText: 'Authentication Error' })
  await expectVisible(toast.getByText('Something went wrong during login', { exact: true }))
  await visitorTab.waitForURL((url) => url.pathname === paths.login)
  expect(await visitorTab.evaluate<string | null>(`localStorage.getItem('oauthProcessed')`)).toBeNull()
})

test('when the API runs again, the banner disappears, pending changes are saved, and events arrive without a reload', async () => {
  await outage.end()
  await settingsTab.bringToFront()
  await connection(settingsTab).waitFor({ state: 'detached' })
  await expectVisibleAfter(settingsTab, 'Save Changes', settingsTab.getByText('Settings saved successfully!'))
  await expectVisibleAfter(configsTab, 'Save', configsTab.locator('.toasts b', { hasText: '1 updated, 0 failed' }))
  await keysTab.bringToFront()
  await connection(keysTab).waitFor({ state: 'detached' })
  await createKeyFor(gatewayUrl, ready.account.jwtToken, 'made elsewhere')
  await expectVisible(keysTab.getByRole('article', { name: 'made elsewhere' }))
  expect(loads).toBe(0)
  const done = resetTab.getByRole('heading', { name: 'Password reset successful!' })
  await expectVisibleAfter(resetTab, 'Reset password', done)
})
