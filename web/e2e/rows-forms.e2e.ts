import { signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { beforeAll, describe, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { delayCalls } from './calls-of-page.ts'
import { expectVisible } from './page-of-file.ts'
import { visitorOfFile } from './visitor.ts'

// Specification §2, §4 and §5, sign-in and sign-up: a test for each sentence, one page load for several.

const { webUrl, gatewayUrl } = runningPlatform()
const USER = `${gatewayUrl}/api/v1/internal/user`
const PROVIDER = `${gatewayUrl}/api/v1/internal/oauth/google`
const FIELDS = ['First name', 'Last name', 'Email', 'Mobile', 'Password', 'Confirm password']

const { visit, main, button, field, isOff, hrefOf, typeOf, expectText } = visitorOfFile()
let page: Page
let person: TestAccount
beforeAll(async () => {
  person = await signUpUser(gatewayUrl)
})

describe('/login', () => {
  beforeAll(async () => {
    page = await visit(paths.login)
  })

  test('link to /forgot-password, a button to sign in with the external identity provider, link to /signup', async () => {
    expect(await hrefOf('Forgot password?')).toBe(paths.forgotPassword)
    expect(await hrefOf('Create an account')).toBe(paths.signup)
    expect(await button('Continue with Google').isVisible()).toBe(true)
  })

  test('show/hide password toggle', async () => {
    await field('Password').fill('secret')
    expect(await typeOf('Password')).toBe('password')
    await button('Show password').click()
    expect(await typeOf('Password')).toBe('text')
    await button('Show password').click()
    expect(await typeOf('Password')).toBe('password')
  })

  test('email and password required; email input is of type email', async () => {
    expect(await typeOf('Email')).toBe('email')
    await field('Password').fill('')
    await button('Sign in').click()
    await expectText('Enter your email')
    await expectText('Enter your password')
    for (const name of ['Email', 'Password']) expect(await field(name).getAttribute('required')).not.toBeNull()
  })

  test("submitting: button 'Signing in...', then error", async () => {
    const end = await delayCalls(page, { to: `${USER}/login` })
    await field('Email').fill(person.email)
    await field('Password').fill('not the password')
    await button('Sign in').click()
    await button('Signing in...').waitFor()
    end('answered')
    await expectVisible(page.getByRole('alert').getByText('Incorrect username or password'))
    await expectVisible(button('Sign in'))
  })

  test("a 'Remember me' checkbox, and redirect to /dashboard", async () => {
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url() === `${USER}/login`)
    await page.getByLabel(/^Remember me/).check()
    await field('Password').fill(person.password)
    await button('Sign in').click()
    expect((await sent).postDataJSON()).toMatchObject({ email: person.email, remember_me: true })
    await page.waitForURL(webUrl + paths.profile)
  })
})

describe('/signup', () => {
  beforeAll(async () => {
    page = await visit(paths.signup)
  })

  test('first name, last name, email, mobile, password, confirm password all required', async () => {
    for (const name of FIELDS) expect(await field(name).getAttribute('required'), name).not.toBeNull()
    const agreed = page.getByLabel('I agree')
    await agreed.check()
    await button('Create account').click()
    for (const what of ['first name', 'last name', 'email', 'mobile number']) await expectText(`Enter your ${what}`)
    await expectText('Choose a password')
    await expectText('Repeat the password')
    await agreed.uncheck()
  })

  test('terms checkbox (links to /terms and /privacy), which open in a separate tab', async () => {
    for (const [name, path] of [
      ['Terms', paths.terms],
      ['Privacy Policy', paths.privacy],
    ] as const) {
      const link = main().getByRole('link', { name, exact: true })
      expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([path, '_blank'])
    }
  })

  test('the submit button and the identity-provider signup button are disabled while terms are unchecked', async () => {
    expect([await isOff('Create account'), await isOff('Sign up with Google')]).toEqual([true, true])
    await page.getByLabel('I agree').check()
    expect([await isOff('Create account'), await isOff('Sign up with Google')]).toEqual([false, false])
    await page.getByLabel('I agree').uncheck()
  })

  test("terms must be agreed ('Please agree to the terms and conditions')", async () => {
    // Submits as assistive technology and the Enter key do, because the disabled button stays focusable.
    await button('Create account').click({ force: true })
    await expectVisible(page.getByRole('alert').getByText('Please agree to the terms and conditions'))
  })
})

describe('/signup, filled in', () => {
  test.each([
    ['abcdefgh', 'Weak.', 2],
    ['Abcdefgh', 'Medium.', 3],
    ['Abcdefg1', 'Medium.', 4],
    ['Abcdefg1!', 'Strong.', 5],
  ])(
    'password strength score of %s: length at least 8, lowercase, uppercase, digit, other symbol; %s',
    async (password, word, score) => {
      await field('Password').fill(password)
      await main().locator('#password-note').getByText(word).waitFor()
      const marks = main().locator('.strength i.on')
      await waitUntil(`${score} marks are on`, async () => (await marks.count()) === score)
    },
  )

  test("passwords must match ('Passwords do not match'), with a live match indicator", async () => {
    const note = main().locator('#confirmation-note')
    await field('Confirm password').fill('something else')
    await expectVisible(note.getByText('Passwords do not match'))
    await field('Confirm password').fill('Abcdefg1!')
    await expectVisible(note.getByText('Passwords match'))
  })

  test("submitting ('Creating account...'), the strength is advisory only, success to the page of the first key", async () => {
    const end = await delayCalls(page, { to: `${USER}/create` })
    const weak = `${crypto.randomUUID()}`.replaceAll(/[^a-f]/g, 'x')
    const values = ['Ada', 'Lovelace', `${crypto.randomUUID()}@example.com`, '+441234567', weak, weak]
    for (const [at, name] of FIELDS.entries()) await field(name).fill(values[at] ?? '')
    await main().locator('#password-note').getByText('Weak.').waitFor()
    await page.getByLabel('I agree').check()
    const sent = page.waitForRequest((request) => request.method() === 'PUT' && request.url() === `${USER}/create`)
    await button('Create account').click()
    await button('Creating account...').waitFor()
    expect((await sent).postDataJSON()).toEqual({
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: values[2],
      mobile: '+441234567',
      password: weak,
      reminder_enabled: true,
      reminder_time: 9,
      reminder_method: 'email',
    })
    end('answered')
    await page.waitForURL(webUrl + paths.apiKeys)
  })
})

describe('the identity provider', () => {
  test.each([
    [paths.login, 'Continue with Google'],
    [paths.signup, 'Sign up with Google'],
  ])('on %s the browser is sent to the address that the call returns', async (path, name) => {
    page = await visit(path)
    if (path === paths.signup) await page.getByLabel('I agree').check()
    let authUrl = ''
    await page.route(PROVIDER, async (route) => {
      const response = await route.fetch()
      authUrl = ((await response.json()) as { data: { authUrl: string } }).data.authUrl
      await route.fulfill({ response })
    })
    await button(name).click()
    await page.getByRole('heading', { name: 'Local identity provider' }).waitFor()
    expect(new URL(page.url()).origin).toBe(new URL(authUrl).origin)
  })
})
