import { send, signUpUser } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const { gatewayUrl, webUrl } = runningPlatform()
/** The hostname of the provider's redirect, because tab storage belongs to one origin. */
const pages = webUrl.replace('127.0.0.1', 'localhost')

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

const button = (name: string) => page.getByRole('button', { name, exact: true })
const someEmail = () => `${crypto.randomUUID()}@example.com`

/** Signs in at the provider with this address. */
async function continueAs(email: string, { isVerified = true } = {}): Promise<void> {
  await page.getByRole('heading', { name: 'Local identity provider' }).waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('First name').fill('Olga')
  await page.getByLabel('Last name').fill('Auth')
  if (!isVerified) await page.getByLabel('The address is verified').uncheck()
  await button('Continue').click()
}

/** Checks that the dashboard is open and that neither its URL nor the history contains the code. */
async function expectDashboard(email: string): Promise<void> {
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  await page.getByText(email).first().waitFor()
  await page.waitForURL(pages + paths.profile)
}

const storedUser = () =>
  page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}') as Record<string, unknown>)

test('a new user signs up with Google after accepting the terms, and signs in again with the button of the login page', async () => {
  const email = someEmail()
  await page.goto(pages + paths.signup)
  expect(await button('Sign up with Google').getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('I agree').check()
  await button('Sign up with Google').click()
  await continueAs(email)
  await page.getByText('Account Created Successfully!').first().waitFor()
  await page.getByRole('heading', { name: 'API Keys', level: 1 }).waitFor()
  await page.waitForURL(pages + paths.apiKeys)
  await waitUntil('the details have arrived', async () => (await storedUser())['role'] === 'user')
  expect(await storedUser()).toMatchObject({ email, emailVerified: true })
  expect(await page.evaluate(() => localStorage.getItem('provider'))).toBe('GOOGLE')

  await button('Account: Olga').click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await page.waitForURL(`${pages}/`)
  await page.goto(pages + paths.login)
  await button('Continue with Google').click()
  await continueAs(email)
  await page.getByText('Login Successful!').first().waitFor()
  await expectDashboard(email)
})

test('cancelling at the provider leads to the login page with a message', async () => {
  await page.goto(pages + paths.login)
  await button('Continue with Google').click()
  await button('Cancel').click()
  await page.getByText('Authentication Failed').first().waitFor()
  await page.getByText('Please try again').first().waitFor()
  await page.waitForURL(pages + paths.login)
  expect(await page.evaluate(() => localStorage.getItem('jwtToken'))).toBeNull()
})

test('a callback that this browser did not start is rejected and tried only once', async () => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  const attempts = () => requested.filter((url) => url.endsWith('/oauth/google/callback')).length
  const address = `${pages}${paths.profile}?code=stolen&state=${'s'.repeat(43)}`
  await page.goto(address)
  await page.getByText('Authentication Failed').first().waitFor()
  await page.waitForURL(pages + paths.login)
  expect(attempts()).toBe(1)
  await page.goto(address)
  await page.waitForURL(pages + paths.login)
  expect(attempts()).toBe(1)
})

test('an address not verified on both sides requires the password of the account', async () => {
  const person = await signUpUser(gatewayUrl)
  await page.goto(pages + paths.login)
  await button('Continue with Google').click()
  await continueAs(person.email, { isVerified: false })
  await page.getByRole('heading', { name: 'Connect Google with your account' }).waitFor()
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await button('Connect and sign in').click()
  await page.getByText('Incorrect username or password').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await button('Connect and sign in').click()
  await page.getByText('Login Successful!').first().waitFor()
  await expectDashboard(person.email)
  const token = await page.evaluate(() => localStorage.getItem('jwtToken') ?? '')
  const { body } = await send(`${gatewayUrl}/api/v1/internal/user/details`, { token })
  expect(body).toMatchObject({ data: { user: { id: person.user.id } } })
})
