import { send, signUpUser } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile, mailedLink, signInOn } from './browser.fixture.ts'

const { gatewayUrl } = runningPlatform()
const user = `${gatewayUrl}/api/v1/internal/user`
const SLOW_SCRIPT_MS = 1_000
/** Records where the content of the dashboard is displayed, in every frame. */
const RECORD_TOPS = `
  globalThis.tops = new Set()
  const record = () => {
    const main = document.querySelector('.app main')
    if (main?.checkVisibility()) tops.add(main.getBoundingClientRect().top)
    requestAnimationFrame(record)
  }
  record()`
const TWO_FRAMES_LATER = 'new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))'

const browser = browserOfFile()
let page: Page
beforeEach(async () => {
  page = await browser.newPage()
})

const button = (name: string) => page.getByRole('button', { name })

test('the dashboard requests it, the mailed link verifies the address, and the hint disappears', async () => {
  const person = await signUpUser(gatewayUrl)
  await signInOn(page, person)
  const hint = page.getByRole('region', { name: 'Email verification' })
  await hint.waitFor()
  await button('Send it again').click()
  await page.getByText(/^An email was sent a moment ago/).waitFor()
  const link = await mailedLink(person.email, paths.verifyEmail)
  await page.goto(link)
  await page.getByRole('heading', { name: 'Verify your email' }).waitFor()
  await page.waitForURL((url) => !url.href.includes('token'))
  await button('Verify this address').click()
  await page.getByText(`${person.email} is verified.`).waitFor()
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await page.waitForURL((url) => url.pathname === paths.profile)
  await page.getByText('Personal Information').waitFor()
  await hint.waitFor({ state: 'detached' })
  expect(await hint.count()).toBe(0)
  await page.goto(link)
  await button('Verify this address').click()
  await page.getByText('This link is invalid or has expired. Please request a new one.').waitFor()
})

test('the hint moves no displayed content, even if its script is slow, after sign-in and after a reload', async () => {
  const person = await signUpUser(gatewayUrl)
  let delayed = 0
  await page.route('**/assets/VerifyEmailHint-*.js', async (route) => {
    delayed += 1
    await delay(SLOW_SCRIPT_MS)
    await route.continue()
  })
  await page.addInitScript(RECORD_TOPS)
  const recordedTops = async (): Promise<number[]> => {
    await page.getByRole('region', { name: 'Email verification' }).waitFor()
    await page.getByRole('heading', { name: 'Personal Information' }).waitFor()
    await page.evaluate(TWO_FRAMES_LATER)
    return page.evaluate<number[]>('[...tops]')
  }
  await signInOn(page, person)
  expect(await recordedTops()).toHaveLength(1)
  await page.reload()
  expect(await recordedTops()).toHaveLength(1)
  expect(delayed).toBe(2)
})

test('a new address takes effect when its link is confirmed, with or without a session', async () => {
  const person = await signUpUser(gatewayUrl)
  const newEmail = `${crypto.randomUUID()}@example.com`
  const body = { newEmail, currentPassword: person.password }
  expect((await send(`${user}/change-email`, { token: person.jwtToken, body })).status).toBe(200)
  await page.goto(await mailedLink(newEmail, paths.confirmEmail))
  await button('Use this address').click()
  await page.getByText(`Sign in with ${newEmail} from now on.`).waitFor()
  await signInOn(page, { ...person, email: newEmail })
})

test('the link of an export saves the file', async () => {
  const person = await signUpUser(gatewayUrl)
  expect((await send(`${user}/export`, { method: 'POST', token: person.jwtToken })).status).toBe(202)
  await page.goto(await mailedLink(person.email, paths.accountExport))
  const downloading = page.waitForEvent('download')
  await button('Download').click()
  const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(file).toMatchObject({ format: 'tapeline-account/1', profile: { email: person.email } })
  await page.getByText('It is in the file tapeline-account.json.').waitFor()
})
