import type { ProviderSignedIn } from '@tapeline/contracts/identity/oauth'
import { createKeyFor, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { callOperator } from '@tapeline/testing/operator'
import { setTier } from '@tapeline/testing/set-subscription'
import { afterAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { mailedLink } from './browser.fixture.ts'
import { cutCalls, delayCalls } from './calls-of-page.ts'
import { returnFromGoogle } from './google-return.ts'
import { expectVisible, pageOfFile, sessionOf } from './page-of-file.ts'

// Specification §2 and §4, profile.

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const API = `${gatewayUrl}/api/v1/internal`
const UPDATE = { to: '**/api/v1/internal/user/update', method: 'PATCH' }
const operator = callOperator(platform)
afterAll(() => operator.close())

let person: TestAccount
const page = pageOfFile(async () => {
  person = await signUpUser(gatewayUrl)
  await createKeyFor(gatewayUrl, person.jwtToken)
  return sessionOf(person)
})
/** A provider account with a single name: no mobile number and no password. */
const ofGoogle = pageOfFile(async () => sessionOf(await signUpWithGoogle()))

async function signUpWithGoogle(): Promise<ProviderSignedIn> {
  const email = `${crypto.randomUUID()}@example.com`
  const { binding, search } = await returnFromGoogle({ email, given_name: 'Olga', family_name: '' })
  const body = { ...Object.fromEntries(search), binding }
  const reply = await send<{ data: ProviderSignedIn }>(`${API}/oauth/google/callback`, { body })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body.data
}

const button = (name: string) => page().getByRole('button', { name, exact: true })
const panel = (name: string) => page().getByRole('region', { name })
/** The value shown for a name. */
const line = (name: string) => page().locator('dl > div', { has: page().locator('dt', { hasText: name }) })

test('two stat cards: API Keys as active/total, and Member Since (month and year)', async () => {
  await page().goto(webUrl + paths.profile)
  await line('API Keys').getByText('1/1').waitFor()
  const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' }).format()
  // Not part of the stored session: it comes with the user's details.
  await expectVisible(line('Member Since').locator('dd').getByText(month, { exact: true }))
})

test('Personal Information: first name, last name, email, mobile, and a Verified badge once the e-mail is verified', async () => {
  const facts = panel('Personal Information')
  for (const text of ['Ada', 'Lovelace', person.email, '+441234567']) await facts.getByText(text).waitFor()
  expect(await facts.getByText('Verified').count()).toBe(0)
  const token = new URL(await mailedLink(person.email, paths.verifyEmail)).searchParams.get('token')
  expect((await send(`${API}/user/verify-email`, { body: { token } })).status).toBe(200)
  await facts.getByText('Verified', { exact: true }).waitFor()
})

test("empty fields show 'Not set'", async () => {
  await ofGoogle().goto(webUrl + paths.profile)
  const facts = ofGoogle().getByRole('region', { name: 'Personal Information' })
  await facts.getByText('Olga').waitFor()
  await facts.getByText('Not set', { exact: true }).nth(1).waitFor()
  expect(await facts.getByText('Not set', { exact: true }).count()).toBe(2)
})

test("an account without a password stays connected: 'Failed to disconnect Google account' with the reason", async () => {
  await ofGoogle().getByRole('button', { name: 'Disconnect' }).click()
  const dialog = ofGoogle().getByRole('dialog', { name: 'Disconnect Google' })
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await dialog.getByText('Failed to disconnect Google account', { exact: true }).waitFor()
  await expectVisible(dialog.getByRole('alert').getByText('Google is your only way to sign in'))
})

test('Account Overview: status (Active in green), plan (Free, Basic or Pro), last login date', async () => {
  const overview = panel('Account Overview')
  await expectVisible(overview.locator('.state-ok').getByText('Active', { exact: true }))
  await overview.getByText(/\d{1,2} \w{3} \d{4}, \d\d:\d\d/).waitFor()
  await overview.getByText('Free', { exact: true }).waitFor()
  for (const [tier, name] of [
    ['basic', 'Basic'],
    ['pro', 'Pro'],
  ] as const) {
    await setTier(platform, person.user.id, tier)
    await overview.getByText(name, { exact: true }).waitFor()
  }
})

test("an 'Admin Access' banner for superusers", async () => {
  const banner = panel('Account Overview').getByText('Admin Access')
  expect(await banner.count()).toBe(0)
  await operator.ofUsers('set-role', person.user.id, 'admin')
  await banner.waitFor()
  await operator.ofUsers('set-role', person.user.id, 'user')
  await banner.waitFor({ state: 'detached' })
})

test('an email notifications checkbox; when on, a time selector (00:00 to 23:00) and a method selector (Email or Push)', async () => {
  const overview = panel('Account Overview')
  const times = await overview.getByLabel('Time').locator('option').allTextContents()
  expect(times).toEqual(Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`))
  expect(await overview.getByLabel('Time').inputValue()).toBe('9')
  expect(await overview.getByLabel('Method').locator('option').allTextContents()).toEqual(['Email', 'Push'])
  expect(await overview.getByLabel('Method').inputValue()).toBe('email')
  await overview.getByLabel(/^Email notifications/).uncheck()
  expect(await overview.locator('select').count()).toBe(0)
  await button('Cancel').click()
  expect(await overview.locator('select').count()).toBe(2)
})

test('Quick Actions: links to API Keys, Analytics (goes to metrics) and Settings', async () => {
  const links = panel('Quick Actions').getByRole('link')
  await links.nth(2).waitFor()
  const found = (await links.all()).map(async (link) => [
    (await link.locator('span').first().innerText()).split('\n')[0],
    await link.getAttribute('href'),
  ])
  expect(await Promise.all(found)).toEqual([
    ['API Keys', paths.apiKeys],
    ['Analytics', paths.metrics],
    ['Settings', paths.settings],
  ])
})

test("Edit Profile becomes Save Changes (shows 'Saving...') and Cancel; Save returns to view on success; Cancel discards", async () => {
  const end = await delayCalls(page(), UPDATE)
  await button('Edit Profile').click()
  await button('Cancel').waitFor()
  await page().getByLabel('First name').fill('Augusta')
  await button('Save Changes').click()
  await button('Saving...').waitFor()
  end('answered')
  await button('Edit Profile').waitFor()
  await panel('Personal Information').getByText('Augusta').waitFor()
  await button('Edit Profile').click()
  // The edit form starts with the saved values.
  expect(await page().getByLabel('First name').inputValue()).toBe('Augusta')
  await page().getByLabel('First name').fill('Unknown')
  await button('Cancel').click()
  await panel('Personal Information').getByText('Augusta').waitFor()
})

test('after a failed save edit mode stays', async () => {
  await page().unrouteAll()
  const restore = await cutCalls(page(), UPDATE)
  await button('Edit Profile').click()
  await page().getByLabel('Last name').fill('King')
  await button('Save Changes').click()
  await page().getByRole('alert').getByText('Your changes were not saved').waitFor()
  expect(await page().getByLabel('Last name').inputValue()).toBe('King')
  await restore()
  await button('Save Changes').click()
  await panel('Personal Information').getByText('King').waitFor()
})

test('a profile load failure falls back to stored user data', async () => {
  await cutCalls(page(), { to: '**/api/v1/internal/user/details' })
  await page().reload()
  const facts = panel('Personal Information')
  await expectVisible(facts.getByText('Augusta'), facts.getByText('King'), facts.getByText(person.email))
})
