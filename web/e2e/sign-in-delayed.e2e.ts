import { setTimeout as delay } from 'node:timers/promises'
import { send, signUpUser } from '@tapeline/testing/api-client'
import { beforeEach, expect, test } from 'vitest'
import type { Page } from '@tapeline/testing/browser'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile, fillInSignIn, mailedLink, signInOn } from './browser.fixture.ts'
import { expectVisible } from './page-of-file.ts'

const { gatewayUrl, webUrl } = runningPlatform()
const LOGIN = `${gatewayUrl}/api/v1/internal/user/login`
const GUESSES = 20
const DELAY_LEAST_SECONDS = 8

const browser = browserOfFile()
let page: Page
beforeEach(async () => {
  page = await browser.newPage()
})

/** Each guess is from another network. */
function guess(email: string, n: number) {
  const headers = { 'x-forwarded-for': `10.7.${n}.1` }
  return send(LOGIN, { body: { email, password: `guess ${n}` }, headers })
}

/** Guesses passwords until sign-ins of the account are delayed for several seconds, long enough that even a slow page is still delayed. */
async function guessPasswords(email: string): Promise<void> {
  await Promise.all(Array.from({ length: GUESSES }, (_, n) => guess(email, n)))
  for (let n = GUESSES; ; n += 1) {
    const { status, headers } = await guess(email, n)
    const delaySeconds = Number(headers.get('retry-after'))
    if (status !== 429) continue
    if (delaySeconds >= DELAY_LEAST_SECONDS) return
    await delay(delaySeconds * 1_000)
  }
}

test('during guessing by others, the owner requests a link on the sign-in page, opens it and signs in at once', async () => {
  const person = await signUpUser(gatewayUrl)
  await guessPasswords(person.email)
  await page.goto(webUrl + paths.login)
  await fillInSignIn(page, person)
  await page.getByRole('alert').getByText('Incorrect username or password', { exact: true }).waitFor()
  await page.getByText('Too many wrong passwords were entered for this account').waitFor()
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await page.getByText(`If ${person.email} belongs to an account, a link is on its way.`).waitFor()
  const link = await mailedLink(person.email, paths.trustDevice)
  await page.goto(link)
  await page.getByRole('button', { name: 'Allow this browser' }).click()
  await expectVisible(page.getByText(`Sign in as ${person.email} with your password now.`))
  await page.waitForURL((url) => !url.href.includes('token'))
  await guessPasswords(person.email)
  await page.getByRole('link', { name: 'Go to login' }).click()
  await fillInSignIn(page, person)
  await page.waitForURL((url) => url.pathname === paths.profile)
})

test('during guessing by others, the browser that set a new password by a link signs in at once', async () => {
  const person = await signUpUser(gatewayUrl)
  const body = { email: person.email }
  expect((await send(`${gatewayUrl}/api/v1/internal/user/forgot-password`, { body })).status).toBe(200)
  await page.goto(await mailedLink(person.email, paths.resetPassword))
  const password = 'Another horse, battery 2'
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await page.getByRole('heading', { name: 'Password reset successful!' }).waitFor()
  await guessPasswords(person.email)
  await signInOn(page, { email: person.email, password })
})

test('during guessing by others, the browser that changed the password signs in again at once', async () => {
  const person = await signUpUser(gatewayUrl)
  await signInOn(page, person)
  const password = 'Another horse, battery 2'
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current password', { exact: true }).fill(person.password)
  await dialog.getByLabel('New password', { exact: true }).fill(password)
  await dialog.getByLabel('Confirm new password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Account: ' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await page.waitForURL(`${webUrl}/`)
  await guessPasswords(person.email)
  await signInOn(page, { email: person.email, password })
  expect(new URL(page.url()).pathname).toBe(paths.profile)
})

test.each([360, 1_440])('at %i px the sign-in form is one column, aligned with the top bar', async (width) => {
  await page.setViewportSize({ width, height: 900 })
  await page.goto(webUrl + paths.login)
  const form = page.getByRole('main')
  await form.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  const parts = [
    page.getByRole('banner').getByRole('link', { name: 'Tapeline' }),
    form.getByRole('heading', { level: 1 }),
    form.getByLabel('Email'),
    form.getByLabel('Password', { exact: true }),
    form.getByRole('button', { name: 'Sign in', exact: true }),
  ]
  const lefts = await Promise.all(parts.map(async (part) => Math.round((await part.boundingBox())?.x ?? -1)))
  expect(lefts).toEqual(lefts.map(() => (width === 360 ? 16 : 120)))
})
