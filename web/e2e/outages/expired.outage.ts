import { send, type TestAccount } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { expireSessionsAndLinks } from '@tapeline/testing/expire-sessions'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../../tests/platform/running-platform.ts'
import { paths } from '../../src/paths.ts'
import { fillInSignIn, mailedLink } from '../browser.fixture.ts'
import { expectVisible } from '../page-of-file.ts'
import { readyForFile } from './outage-of-file.ts'

// Messages of the pages when a session or a link has expired.

const { gatewayUrl, identityDatabaseUrl } = runningPlatform()
const REQUESTED_PAGE = `${paths.requests}?outcome=denied`
const EXPIRED = 'This password reset link is invalid or has expired. Please request a new one.'

let account: TestAccount
let dashboardTab: Page
let formTab: Page
let lateTab: Page
let resetLink: string
let verifyLink: string

readyForFile(async (ready) => {
  account = ready.account
  dashboardTab = await ready.signedInTab(REQUESTED_PAGE)
  await dashboardTab.getByLabel('Outcome').waitFor()
  const forgot = `${gatewayUrl}/api/v1/internal/user/forgot-password`
  expect((await send(forgot, { body: { email: account.email } })).status).toBe(200)
  resetLink = await mailedLink(account.email, paths.resetPassword)
  verifyLink = await mailedLink(account.email, paths.verifyEmail)
  formTab = await ready.newTab()
  await formTab.goto(resetLink)
  await formTab.getByLabel('New password').waitFor()
  lateTab = await ready.newTab()
  await expireSessionsAndLinks(identityDatabaseUrl, account.user.id)
})

test('any 401 that cannot be renewed: sign out, clear user, go to /login, and back after signing in', async () => {
  // The access token is valid for minutes more; the test makes the page treat it as expired.
  await dashboardTab.evaluate(`localStorage.setItem('jwtToken', 'over')`)
  await dashboardTab.getByRole('link', { name: 'Settings' }).first().click()
  await dashboardTab.waitForURL((url) => url.pathname === paths.login)
  const sessionKeys = ['jwtToken', 'refreshToken', 'expiresAt', 'user', 'isAuthenticated']
  const remaining = `${JSON.stringify(sessionKeys)}.filter((name) => localStorage.getItem(name) !== null)`
  expect(await dashboardTab.evaluate<string[]>(remaining)).toEqual([])
  await fillInSignIn(dashboardTab, account)
  await expectVisible(dashboardTab.getByRole('heading', { name: 'Appearance' }))
})

test(`a link that has expired before it is opened: '${EXPIRED}', with links to /forgot-password and /login`, async () => {
  await lateTab.goto(resetLink)
  await expectVisible(lateTab.getByRole('alert').getByText(EXPIRED, { exact: true }))
  const hrefs = await lateTab
    .getByRole('main')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(hrefs).toEqual([paths.forgotPassword, paths.login])
})

test('a link that expires while the new password is typed shows the same message', async () => {
  await formTab.getByLabel('New password').fill('Another horse, battery 2')
  await formTab.getByLabel('Confirm password').fill('Another horse, battery 2')
  await formTab.getByRole('button', { name: 'Reset password' }).click()
  await expectVisible(formTab.getByRole('alert').getByText(EXPIRED, { exact: true }))
  await formTab.getByLabel('New password').waitFor({ state: 'detached' })
})

test('an expired verification link shows a message', async () => {
  await lateTab.goto(verifyLink)
  await lateTab.getByRole('button', { name: 'Verify this address' }).click()
  await expectVisible(lateTab.getByText('This link is invalid or has expired. Please request a new one.'))
  expect(new URL(lateTab.url()).pathname).toBe(paths.verifyEmail)
})
