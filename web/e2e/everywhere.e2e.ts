import { createKeyFor, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { beforeEach, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile, fillInSignIn, signInOn } from './browser.fixture.ts'
import { cutCalls, delayCalls } from './calls-of-page.ts'

const { gatewayUrl } = runningPlatform()
const SESSIONS = `${gatewayUrl}/api/v1/internal/user/sessions`
/** Specification §9: how long a message stays. */
const TOAST_MS = 5_000

const browser = browserOfFile()
let page: Page
let person: TestAccount
beforeEach(async () => {
  person = await signUpUser(gatewayUrl)
  page = await browser.newPage()
})

const link = (name: string) => page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name })
const connection = () => page.getByRole('region', { name: 'Connection' })

test('while the API is unreachable, the page shows its last data with their age, and recovers automatically', async () => {
  await signInOn(page, person)
  const name = page.getByText('Personal Information')
  await name.waitFor()
  const restore = await cutCalls(page, { to: `${gatewayUrl}/**` })
  await link('API Keys').click()
  await connection()
    .getByText(/The API cannot be reached\. The data shown is from \d+ \w+ ago\./)
    .waitFor()
  await link('Profile').click()
  await name.waitFor()
  await page.getByText(person.email).first().waitFor()
  expect(await page.getByText(person.email).count()).toBeGreaterThan(0)
  // Calls wait for the button: the page also tries again by itself, and the notice would be gone before the click.
  const release = await delayCalls(page, { to: `${gatewayUrl}/**` })
  await connection().getByRole('button', { name: 'Try again now' }).click()
  release('answered')
  await connection().waitFor({ state: 'detached' })
  await restore()

  await page.context().setOffline(true)
  await connection().getByText('Your browser is offline.').waitFor()
  await page.context().setOffline(false)
  await connection().waitFor({ state: 'detached' })
})

test('a session that was ended elsewhere leads to sign-in and back to the same page; messages stay while the pointer is over them', async () => {
  const target = `${paths.requests}?outcome=denied`
  await signInOn(page, person, target)
  await page.getByLabel('Outcome').waitFor()
  expect((await send(SESSIONS, { method: 'DELETE', token: person.jwtToken })).status).toBe(200)
  await page.waitForURL((url) => url.pathname === paths.login)
  expect(new URL(page.url()).searchParams.get('next')).toBe(target)

  const toast = page.locator('.toast', { hasText: 'Your session has ended' })
  await toast.hover()
  await page.waitForTimeout(TOAST_MS + 1_000)
  expect(await toast.count()).toBe(1)
  await page.getByLabel('Email').hover()
  await toast.waitFor({ state: 'detached' })

  await fillInSignIn(page, person)
  await page.waitForURL((url) => url.pathname + url.search === target)
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await page.getByText('Messages of this visit').click()
  await page.locator('.toast-log').getByText('Your session has ended').waitFor()
})

test('a message that appears under a resting pointer is dismissed as usual', async () => {
  await createKeyFor(gatewayUrl, person.jwtToken)
  await signInOn(page, person, paths.apiKeys)
  const active = page.getByRole('switch')
  await active.focus()
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const [x, y] = [width - 100, height - 40]
  await page.mouse.move(x, y)
  await page.keyboard.press('Space')
  const toast = page.locator('.toast', { hasText: 'is inactive' })
  await toast.waitFor()
  expect(await page.evaluate<boolean>(`document.elementFromPoint(${x}, ${y}).closest('.toast') !== null`)).toBe(true)
  await toast.waitFor({ state: 'detached' })
})

test('leaving a page with unsaved input asks for confirmation', async () => {
  await signInOn(page, person)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await page.getByLabel('First name').fill('Augusta')
  await link('API Keys').click()
  const confirmation = page.getByRole('dialog', { name: 'Leave without saving?' })
  await confirmation.getByRole('button', { name: 'Stay here' }).click()
  expect(await page.getByLabel('First name').inputValue()).toBe('Augusta')
  await page.getByRole('button', { name: 'Account: ' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await confirmation.getByRole('button', { name: 'Stay here' }).click()
  expect(await page.evaluate<string | null>(`localStorage.getItem('jwtToken')`)).not.toBeNull()
  await link('API Keys').click()
  await confirmation.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.waitForURL((url) => url.pathname === paths.apiKeys)
})

test('a chunk that a deployment removed causes one reload; after that the page shows an error', async () => {
  await signInOn(page, person)
  await page.getByText('Personal Information').waitFor()
  let loads = 0
  page.on('load', () => (loads += 1))
  const part = /\/assets\/PlanPage-.*\.js$/
  await page.route(part, (route) => route.fulfill({ status: 404 }))
  await link('Details').click()
  await page.getByText('Part of the page could not be loaded.').waitFor()
  // The text may be drawn before the reloaded page has fired its event.
  await page.waitForLoadState('load')
  expect([loads, new URL(page.url()).pathname]).toEqual([1, paths.plan])
  await page.unroute(part)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('region', { name: 'Usage against limits' }).waitFor()
})
