import { send, type TestAccount } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../../tests/platform/running-platform.ts'
import { fillInSignIn, mailedLink } from '../browser.fixture.ts'
import { paths } from '../../src/paths.ts'
import { expectVisible } from '../page-of-file.ts'
import { UNAVAILABLE, expectVisibleAfter, outageOfFile } from './outage-of-file.ts'

// Messages of the pages while the identity service is unavailable.

const { webUrl, gatewayUrl } = runningPlatform()
const NEW_PASSWORD = 'Another horse, battery 2'

let account: TestAccount
/** One tab has verified the link before, one has not opened it yet. */
let resetTab: Page
let lateTab: Page
let visitorTab: Page
let profileTab: Page
let resetLink: string

const outage = outageOfFile('identity', async (ready) => {
  account = ready.account
  const forgotPasswordUrl = `${gatewayUrl}/api/v1/internal/user/forgot-password`
  expect((await send(forgotPasswordUrl, { body: { email: account.email } })).status).toBe(200)
  resetLink = await mailedLink(account.email, paths.resetPassword)
  resetTab = await ready.newTab()
  await resetTab.goto(resetLink)
  await resetTab.getByLabel('New password').waitFor()
  lateTab = await ready.newTab()
  visitorTab = await ready.newTab()
  profileTab = await ready.signedInTab(paths.profile)
  await profileTab.getByRole('button', { name: 'Edit Profile' }).click()
})

test("any login failure: 'Incorrect username or password'; the input stays", async () => {
  await visitorTab.goto(webUrl + paths.login)
  await fillInSignIn(visitorTab, account)
  await expectVisible(visitorTab.getByRole('alert').getByText('Incorrect username or password', { exact: true }))
  expect(await visitorTab.getByLabel('Password', { exact: true }).inputValue()).toBe(account.password)
})

test("'Failed to initiate Google login. Please try again.'", async () => {
  await visitorTab.getByRole('button', { name: 'Continue with Google' }).click()
  await expectVisible(visitorTab.getByText('Failed to initiate Google login. Please try again.', { exact: true }))
})

test("signup variant: 'Failed to initiate Google signup. Please try again.'", async () => {
  await visitorTab.goto(webUrl + paths.signup)
  await visitorTab.getByLabel('I agree').check()
  await visitorTab.getByRole('button', { name: 'Sign up with Google' }).click()
  await expectVisible(visitorTab.getByText('Failed to initiate Google signup. Please try again.', { exact: true }))
})

test("signup failure: the server's message; the input stays", async () => {
  const texts = { 'First name': 'Grace', 'Last name': 'Hopper', Email: 'grace@example.com', Mobile: '+1 555 0100' }
  for (const [label, text] of Object.entries(texts)) await visitorTab.getByLabel(label).fill(text)
  await visitorTab.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await visitorTab.getByLabel('Confirm password', { exact: true }).fill(NEW_PASSWORD)
  await visitorTab.getByRole('button', { name: 'Create account' }).click()
  await expectVisible(visitorTab.getByRole('alert').getByText(UNAVAILABLE))
  expect(await visitorTab.getByLabel('First name').inputValue()).toBe('Grace')
})

test("forgot password: the server's message", async () => {
  await visitorTab.goto(webUrl + paths.forgotPassword)
  await visitorTab.getByLabel('Email').fill(account.email)
  await visitorTab.getByRole('button', { name: 'Send reset link' }).click()
  await expectVisible(visitorTab.getByRole('alert').getByText(UNAVAILABLE))
})

test("'Failed to verify reset token. Please try again.'", async () => {
  await lateTab.goto(resetLink)
  await expectVisible(
    lateTab.getByRole('alert').getByText('Failed to verify reset token. Please try again.', { exact: true }),
  )
})

test("'Failed to reset password. Please try again.'; the input stays", async () => {
  await resetTab.getByLabel('New password').fill(NEW_PASSWORD)
  await resetTab.getByLabel('Confirm password').fill(NEW_PASSWORD)
  await resetTab.getByRole('button', { name: 'Reset password' }).click()
  await expectVisible(
    resetTab.getByRole('alert').getByText('Failed to reset password. Please try again.', { exact: true }),
  )
  expect(await resetTab.getByLabel('New password').inputValue()).toBe(NEW_PASSWORD)
})

test("a provider callback that the server cannot finish: 'Authentication Failed', 'Please try again'", async () => {
  await visitorTab.goto(`${webUrl}${paths.profile}?code=some-code&state=${'s'.repeat(43)}`)
  const toast = visitorTab.locator('.toast', { hasText: 'Authentication Failed' })
  await expectVisible(toast.getByText('Please try again', { exact: true }))
  await visitorTab.waitForURL((url) => url.pathname === paths.login)
})

test('a profile that cannot be saved stays in edit mode with an error, and keeps the input', async () => {
  await profileTab.getByLabel('First name').fill('Augusta')
  await profileTab.getByRole('button', { name: 'Save Changes' }).click()
  await expectVisible(profileTab.getByRole('alert').getByText(UNAVAILABLE))
  expect(await profileTab.getByLabel('First name').inputValue()).toBe('Augusta')
})

test('a profile load failure falls back to stored user data', async () => {
  const again = await profileTab.context().newPage()
  await again.goto(webUrl + paths.profile)
  await expectVisible(again.getByRole('region', { name: 'Personal Information' }).getByText(account.email))
  await expectVisible(again.getByText('Your sessions could not be loaded'))
  await again.close()
})

test('after recovery no input has to be typed again', async () => {
  await outage.end()
  await expectVisibleAfter(profileTab, 'Save Changes', profileTab.getByRole('button', { name: 'Edit Profile' }))
  await expectVisible(profileTab.getByRole('region', { name: 'Personal Information' }).getByText('Augusta'))
  await expectVisibleAfter(lateTab, 'Try Again', lateTab.getByLabel('New password'))
  const done = resetTab.getByRole('heading', { name: 'Password reset successful!' })
  await expectVisibleAfter(resetTab, 'Reset password', done)
})
