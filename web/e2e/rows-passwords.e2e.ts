import { send, signUpUser } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { beforeAll, describe, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { mailedLink } from './browser.fixture.ts'
import { delayCalls } from './calls-of-page.ts'
import { expectVisible } from './page-of-file.ts'
import { visitorOfFile } from './visitor.ts'

// Specification §2, §4 and §5, forgotten passwords: a test for each sentence, one page load for several.

const { webUrl, gatewayUrl } = runningPlatform()
const USER = `${gatewayUrl}/api/v1/internal/user`

const { visit, main, button, field, isOff, hrefOf, expectText } = visitorOfFile()
let page: Page
const EMAIL = `${crypto.randomUUID()}@example.com`

describe('/forgot-password', () => {
  beforeAll(async () => {
    page = await visit(paths.forgotPassword)
  })

  test('button disabled when the e-mail is blank', async () => {
    expect(await isOff('Send reset link')).toBe(true)
    await field('Email').fill('   ')
    expect(await isOff('Send reset link')).toBe(true)
    await field('Email').fill(EMAIL)
    expect(await isOff('Send reset link')).toBe(false)
  })

  test("after sending, a 'Check your email' confirmation with 'Back to login'", async () => {
    await button('Send reset link').click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    expect(await hrefOf('Back to login')).toBe(paths.login)
  })

  test("'Try different email' returns to the form", async () => {
    await button('Try different email').click()
    expect(await field('Email').inputValue()).toBe(EMAIL)
  })
})

describe('/auth/reset-password', () => {
  const RESET = `${USER}/verify-reset-token**`
  let link = ''
  beforeAll(async () => {
    const newUser = await signUpUser(gatewayUrl)
    await send(`${USER}/forgot-password`, { body: { email: newUser.email } })
    link = await mailedLink(newUser.email, paths.resetPassword)
    page = await visit(paths.resetPassword)
  })

  test("a missing token gives 'Invalid or missing reset token. Please request a new password reset.'", async () => {
    const alert = page.getByRole('alert')
    await expectVisible(alert.getByText('Invalid or missing reset token. Please request a new password reset.'))
  })

  test('an invalid-link screen with links to /forgot-password and /login', async () => {
    await page.goto(`${webUrl}${paths.resetPassword}?token=${'x'.repeat(43)}`)
    await page.getByText('This password reset link is invalid or has expired. Please request a new one.').waitFor()
    expect([await hrefOf('Request a new link'), await hrefOf('Back to login')]).toEqual([
      paths.forgotPassword,
      paths.login,
    ])
  })

  test('reads query parameter token and verifies it on load: verifying token, then valid form', async () => {
    const end = await delayCalls(page, { to: RESET })
    const pending = page.waitForRequest((request) => request.url().startsWith(`${USER}/verify-reset-token`))
    await page.goto(link)
    await page.getByRole('status').getByText('Checking your link').waitFor()
    expect(new URL((await pending).url()).searchParams.get('token')).toBe(new URL(link).searchParams.get('token'))
    end('answered')
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  })
})

describe('/auth/reset-password, a new password', () => {
  const rules = () => main().getByRole('list', { name: 'Requirements' }).getByRole('listitem').allTextContents()

  test('at least 8 characters, one uppercase, one lowercase, one digit: a requirements checklist', async () => {
    const expected = ['At least 8 characters', 'One uppercase letter', 'One lowercase letter', 'One digit']
    expect(await rules()).toEqual(expected.map((rule) => `${rule}, not met yet`))
    await field('New password').fill('abcdefg')
    expect(await rules()).toEqual(expected.map((rule, at) => `${rule}, ${at === 2 ? 'met' : 'not met yet'}`))
    await field('New password').fill('Abcdefg1')
    expect(await rules()).toEqual(expected.map((rule) => `${rule}, met`))
  })

  test("submit disabled until all are met; 'Password does not meet the security requirements.'", async () => {
    await field('New password').fill('abcdefgh')
    expect(await isOff('Reset password')).toBe(true)
    await button('Reset password').click({ force: true })
    await expectText('Password does not meet the security requirements.')
  })

  test("equal to the confirmation: 'Passwords do not match.'", async () => {
    await field('New password').fill('Abcdefg1')
    await field('Confirm password').fill('Abcdefg2')
    await expectText('Passwords do not match.')
    expect(await isOff('Reset password')).toBe(true)
    const uncommon = `Ab1-${crypto.randomUUID()}`
    for (const name of ['New password', 'Confirm password']) await field(name).fill(uncommon)
    expect(await isOff('Reset password')).toBe(false)
  })

  test("a success screen 'Password reset successful!' with a link to /login", async () => {
    await button('Reset password').click()
    await page.getByRole('heading', { name: 'Password reset successful!' }).waitFor()
    expect(await hrefOf('Go to login')).toBe(paths.login)
  })
})
