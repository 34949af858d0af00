import { send, signUpUser } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { beforeEach, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile, fillInSignIn, mailedLink } from './browser.fixture.ts'

const { webUrl, gatewayUrl } = runningPlatform()
const NEW_PASSWORD = 'Another horse, battery 2'

const browser = browserOfFile()
let page: Page
beforeEach(async () => {
  page = await browser.newPage()
})

const button = (name: string) => page.getByRole('button', { name })

/** Requests a link on the page and reads it from the mail. */
async function linkFor(email: string): Promise<string> {
  await page.goto(webUrl + paths.login)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  expect(await button('Send reset link').getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('Email').fill(email)
  await button('Send reset link').click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  return mailedLink(email, paths.resetPassword)
}

test('forgot → mail → new password → sign in; the old session and the link are invalid', async () => {
  const person = await signUpUser(gatewayUrl)
  const link = await linkFor(person.email)
  await page.goto(link)
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  await page.waitForURL((url) => !url.href.includes('token'))

  const submit = button('Reset password')
  await page.getByLabel('New password').fill('short')
  expect(await submit.getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('New password').press('Enter')
  await page.getByText('Password does not meet the security requirements.').waitFor()
  await page.getByLabel('New password').fill(NEW_PASSWORD)
  await page.getByLabel('Confirm password').fill('something else')
  await page.getByText('Passwords do not match.').waitFor()
  await page.getByLabel('Confirm password').fill(NEW_PASSWORD)
  await submit.click()
  await page.getByRole('heading', { name: 'Password reset successful!' }).waitFor()

  const details = await send(`${gatewayUrl}/api/v1/internal/user/details`, { token: person.jwtToken })
  expect(details.status).toBe(401)
  await page.getByRole('link', { name: 'Go to login' }).click()
  await fillInSignIn(page, { ...person, password: NEW_PASSWORD })
  await page.waitForURL((url) => url.pathname === paths.profile)

  await page.goto(link)
  await page.getByText('This password reset link is invalid or has expired. Please request a new one.').waitFor()
})

test('without a token the page shows what to do, and "Try different email" returns to the form', async () => {
  await page.goto(webUrl + paths.resetPassword)
  await page.getByText('Invalid or missing reset token. Please request a new password reset.').waitFor()
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await page.getByLabel('Email').fill('unknown@example.com')
  await button('Send reset link').click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await button('Try different email').click()
  expect(await page.getByLabel('Email').inputValue()).toBe('unknown@example.com')
})
