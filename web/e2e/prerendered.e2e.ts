import { LANGUAGES } from '@tapeline/contracts/language'
import { signUpUser } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile } from './browser.fixture.ts'
import { type ContextOptions, sessionOf } from './page-of-file.ts'

// The sign-in form is prerendered: it can be read and filled in before the dashboard's script is loaded.

const { webUrl, gatewayUrl } = runningPlatform()
const SCRIPTS = '**/assets/*.js'
const STARTED = '#root:not([data-prerendered])'

const { newPage } = browserOfFile()

type DelayedPage = { page: Page; release: () => void; pageErrors: string[] }

/** The page with its script delayed until it is released. */
async function openWithoutScript(path: string, options: ContextOptions = {}): Promise<DelayedPage> {
  const page = await newPage({ locale: 'en', ...options })
  const pageErrors: string[] = []
  page.on('pageerror', ({ message }) => pageErrors.push(message))
  page.on('console', (message) => message.type() === 'error' && pageErrors.push(message.text()))
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(SCRIPTS, async (route) => {
    await promise
    await route.continue()
  })
  await page.goto(webUrl + path, { waitUntil: 'commit' })
  await page.locator('#root main').waitFor({ state: 'attached' })
  await waitUntil('the whole page is parsed', () => page.evaluate<boolean>(`document.readyState !== 'loading'`))
  return { page, release: resolve, pageErrors }
}

test('text typed into /login before its script loads, and the focus, are kept, and sign-in uses them', async () => {
  const person = await signUpUser(gatewayUrl)
  const { page, release, pageErrors } = await openWithoutScript(paths.login)
  const password = page.getByLabel('Password', { exact: true })
  await page.getByLabel('Email').pressSequentially(person.email)
  await page.getByLabel(/^Remember me/).check()
  await password.pressSequentially(person.password)
  await page.evaluate('document.activeElement.setSelectionRange(1, 3)')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('button', { name: 'Sign in', exact: true }).isDisabled()).toBe(true)
  expect(page.url()).toBe(webUrl + paths.login)

  release()
  await page.locator(STARTED).waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(person.email)
  expect(await password.inputValue()).toBe(person.password)
  const focus =
    '(({ name, selectionStart, selectionEnd }) => [name, selectionStart, selectionEnd])(document.activeElement)'
  expect(await page.evaluate(focus)).toEqual(['password', 1, 3])
  await page.getByRole('button', { name: 'Sign in', exact: true, disabled: false }).waitFor()
  const sent = page.waitForRequest((request) => request.url().endsWith('/user/login') && request.method() === 'POST')
  await page.keyboard.press('Enter')
  expect((await sent).postDataJSON()).toMatchObject({ email: person.email, remember_me: true })
  await page.waitForURL(webUrl + paths.profile)
  expect(pageErrors).toEqual([])
})

test('text typed into /signup before its script loads is kept', async () => {
  const { page, release } = await openWithoutScript(paths.signup)
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Password', { exact: true }).fill('Amber7tape')
  await page.getByLabel(/^I agree/).check()
  release()
  await page.locator(STARTED).waitFor()
  await page.getByLabel('Last name').fill('Demo')
  await page.getByText('A symbol makes it strong.').waitFor()
  expect(await page.getByLabel('First name').inputValue()).toBe('Ada')
  expect(await page.getByLabel(/^I agree/).isChecked()).toBe(true)
})

const prerendered = [paths.login, paths.signup, paths.forgotPassword, paths.resetPassword]
const cases = prerendered.flatMap((path) => LANGUAGES.map((language) => [path, language] as const))

test.each(cases)('hydration of %s in %s changes neither markup nor theme', async (path, language) => {
  const { page, release, pageErrors } = await openWithoutScript(`${path}?lang=${language}&next=%2Fdashboard%2Fplan`, {
    storageState: {
      cookies: [],
      origins: [{ origin: webUrl, localStorage: [{ name: 'tapeline-theme', value: 'light' }] }],
    },
  })
  expect(await page.locator('html').getAttribute('lang')).toBe(language)
  expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
  const selector = '.site-head, .theme-button, #main, .trade-lanes, .site-foot'
  await page.evaluate(`for (const each of document.querySelectorAll('${selector}')) each.dataset.kept = ''`)
  release()
  await page.locator(STARTED).waitFor()
  expect(await page.locator(`:is(${selector})[data-kept]`).count()).toBeGreaterThanOrEqual(4)
  expect(await page.locator(`:is(${selector}):not([data-kept], .trade-lanes)`).count()).toBe(0)
  if (path === paths.login) await page.locator(`#main a[href^="${paths.signup}?"][href*="next="]`).waitFor()
  expect(pageErrors).toEqual([])
})

test("a page served in another language than the browser's switches to that of the browser", async () => {
  const { page, release, pageErrors } = await openWithoutScript(paths.login, { locale: 'es' })
  await page.evaluate("Object.defineProperty(navigator, 'languages', { value: ['fr'] })")
  expect(await page.locator('html').getAttribute('lang')).toBe('es')
  release()
  await page.locator('#main h1', { hasText: 'Se connecter' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('fr')
  expect(pageErrors).toEqual([])
})

test('a signed-in user does not see the form and is redirected', async () => {
  const { page, release } = await openWithoutScript(paths.login, sessionOf(await signUpUser(gatewayUrl)))
  expect(await page.getByLabel('Email').isVisible()).toBe(false)
  release()
  await page.waitForURL(webUrl + paths.profile)
})

test('without JavaScript the page states that it needs JavaScript, and sends nothing', async () => {
  const page = await newPage({ javaScriptEnabled: false, locale: 'es' })
  await page.goto(webUrl + paths.login)
  await page.locator('noscript p', { hasText: 'Esta página necesita JavaScript.' }).waitFor()
  await page.getByLabel('Correo').fill('ada@example.com')
  await page.keyboard.press('Enter')
  expect(page.url()).toBe(webUrl + paths.login)
})
