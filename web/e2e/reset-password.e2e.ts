import { send, signUpSomebody } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const { webUrl, gatewayUrl, mailUrl } = runningPlatform()
const NEW_PASSWORD = 'Another horse, battery 2'
const SENT_WITHIN_MS = 30_000

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
})
afterEach(() => page.context().close())

const button = (name: string) => page.getByRole('button', { name })

/** Asks for a link on the page and takes it from the mail. */
async function linkFor(email: string): Promise<string> {
  await page.goto(webUrl + paths.login)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  expect(await button('Send reset link').getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('Email').fill(email)
  await button('Send reset link').click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  const find = async () => {
    const { body } = await send<{ messages: { text: string }[] }>(`${mailUrl}/messages?to=${encodeURIComponent(email)}`)
    // Beside it lies the link that verifies the address.
    const links = body.messages.map(({ text }) => /https?:\/\/\S+reset-password\S*token=\S+/.exec(text)?.[0])
    return links.find((link) => link !== undefined)
  }
  return waitUntil('the mail with the link', find, SENT_WITHIN_MS)
}

test('forgot → mail → new password → sign in; the old session is dead and the link too', async () => {
  const person = await signUpSomebody(gatewayUrl)
  const link = await linkFor(person.email)
  await page.goto(link)
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  expect(page.url()).not.toContain('token')

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
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await button('Sign in').click()
  await page.waitForURL((url) => url.pathname === paths.profile)

  await page.goto(link)
  await page.getByText('This password reset link is invalid or has expired. Please request a new one.').waitFor()
})

test('without a token the page says what to do, and "Try different email" leads back to the form', async () => {
  await page.goto(webUrl + paths.resetPassword)
  await page.getByText('Invalid or missing reset token. Please request a new password reset.').waitFor()
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await page.getByLabel('Email').fill('nobody@example.com')
  await button('Send reset link').click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await button('Try different email').click()
  expect(await page.getByLabel('Email').inputValue()).toBe('nobody@example.com')
})
