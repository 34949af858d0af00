import { readFile } from 'node:fs/promises'
import {
  createKeyFor,
  send,
  signIn as signInElsewhere,
  signUpUser,
  type TestAccount,
} from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { beforeEach, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile, fillInSignIn } from './browser.fixture.ts'

const { webUrl, gatewayUrl } = runningPlatform()
/** The hostname of the provider's redirect, because tab storage belongs to one origin. */
const pages = webUrl.replace('127.0.0.1', 'localhost')
const USER = `${gatewayUrl}/api/v1/internal/user`

const browser = browserOfFile()
let page: Page
let person: TestAccount
beforeEach(async () => {
  person = await signUpUser(gatewayUrl)
  page = await browser.newPage()
})

async function signIn(password = person.password): Promise<void> {
  await page.goto(pages + paths.login)
  await fillInSignIn(page, { ...person, password })
  await page.waitForURL(pages + paths.profile)
  await page.getByRole('heading', { name: 'Personal Information' }).waitFor()
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })

async function currentUser(): Promise<Record<string, unknown>> {
  const { body } = await send<{ data: { user: Record<string, unknown> } }>(`${USER}/details`, {
    token: person.jwtToken,
  })
  return body.data.user
}

test('fields are edited in place: saved, cleared and cancelled; the counts match the keys', async () => {
  await createKeyFor(gatewayUrl, person.jwtToken)
  await signIn()
  await page.getByText('1/1').waitFor()
  await button('Edit Profile').click()
  await page.getByLabel('First name').fill('Augusta')
  await page.getByLabel('Mobile').fill('')
  await button('Save Changes').click()
  await button('Edit Profile').waitFor()
  expect((await currentUser()).mobile ?? '').toBe('')
  await button('Edit Profile').click()
  await page.getByLabel('Mobile').fill('+44 1')
  await page.getByLabel('Time').selectOption('23:00')
  await page.getByLabel('Method').selectOption('Push')
  await button('Save Changes').click()
  await button('Edit Profile').waitFor()
  expect(await currentUser()).toMatchObject({
    first_name: 'Augusta',
    mobile: '+44 1',
    reminder_time: 23,
    reminder_method: 'push',
  })
  await page.getByLabel(/^Email notifications/).uncheck()
  await button('Cancel').click()
  expect(await page.getByLabel(/^Email notifications/).isChecked()).toBe(true)
  expect(await currentUser()).toMatchObject({ reminder_enabled: true })
})

test('an edit does not set back a field that another tab has changed meanwhile', async () => {
  await signIn()
  await button('Edit Profile').click()
  await page.getByLabel('Mobile').fill('+44 2')
  const other = await page.context().newPage()
  await other.goto(pages + paths.profile)
  await other.getByRole('button', { name: 'Edit Profile', exact: true }).click()
  await other.getByLabel('First name').fill('Augusta')
  await other.getByRole('button', { name: 'Save Changes', exact: true }).click()
  await other.getByRole('button', { name: 'Edit Profile', exact: true }).waitFor()
  await page.getByRole('main').getByText('Augusta').first().waitFor()
  await button('Save Changes').click()
  await button('Edit Profile').waitFor()
  expect(await currentUser()).toMatchObject({ first_name: 'Augusta', mobile: '+44 2' })
})

test('changing the address requires the password, and takes effect only after confirmation', async () => {
  await signIn()
  await button('Edit Profile').click()
  await page.getByLabel('Email', { exact: true }).fill(`new-${person.email}`)
  await button('Save Changes').click()
  await dialog('Change email').waitFor()
  expect(await page.getByLabel('New email').inputValue()).toBe(`new-${person.email}`)
  await page.getByLabel('Current password', { exact: true }).fill('not the password')
  await button('Send the link').click()
  await dialog('Change email').locator('.error').waitFor()
  await page.getByLabel('Current password', { exact: true }).fill(person.password)
  await button('Send the link').click()
  await page.getByText('Confirm your new address').first().waitFor()
  expect(await currentUser()).toMatchObject({ email: person.email })
})

test('sessions: one is ended, then the others; a new password ends the rest', async () => {
  const [one, two] = [await signInElsewhere(gatewayUrl, person), await signInElsewhere(gatewayUrl, person)]
  await signIn()
  const lines = page.locator('.sessions > div')
  await lines.nth(3).waitFor()
  expect(await lines.first().innerText()).toContain('This browser')
  await lines.nth(1).getByRole('button').click()
  await lines.nth(3).waitFor({ state: 'detached' })
  await button('Sign out other sessions').click()
  await dialog('Sign out other sessions').getByRole('button', { name: 'Sign out other sessions' }).click()
  await lines.nth(1).waitFor({ state: 'detached' })
  for (const { jwtToken } of [one, two, person]) {
    expect((await send(`${USER}/details`, { token: jwtToken })).status).toBe(401)
  }

  const next = 'Analytical-Engine-1'
  await button('Change password').click()
  await page.getByLabel('Current password', { exact: true }).fill(person.password)
  await page.getByLabel('New password', { exact: true }).fill(next)
  await page.getByLabel('Confirm new password', { exact: true }).fill('something else')
  await dialog('Change password').getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Passwords do not match.').waitFor()
  await page.getByLabel('Confirm new password', { exact: true }).fill(next)
  await dialog('Change password').getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed').first().waitFor()
  await signInElsewhere(gatewayUrl, { ...person, password: next })
})

test('Google is connected and disconnected', async () => {
  await signIn()
  await button('Connect Google').click()
  await page.getByRole('heading', { name: 'Local identity provider' }).waitFor()
  await page.getByLabel('E-mail').fill(`${crypto.randomUUID()}@example.com`)
  await button('Continue').click()
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await button('Connect and sign in').click()
  await page.getByText('Login Successful!').first().waitFor()
  await page.getByText('Connected', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  await button('Disconnect').click()
  await dialog('Disconnect Google').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('Google is disconnected').first().waitFor()
  await button('Connect Google').waitFor()
})

test('the data is downloaded, and the account is closed with its password', async () => {
  await signIn()
  await button('Export my data').click()
  const downloading = page.waitForEvent('download')
  await button('Download').click()
  const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8')) as object
  expect(file).toMatchObject({ format: 'tapeline-account/1', profile: { email: person.email } })

  await button('Delete account').click()
  await page.getByLabel('Current password', { exact: true }).fill('not the password')
  await dialog('Delete account').getByRole('button', { name: 'Delete account' }).click()
  await dialog('Delete account').locator('.error').waitFor()
  await page.getByLabel('Current password', { exact: true }).fill(person.password)
  await dialog('Delete account').getByRole('button', { name: 'Delete account' }).click()
  await page.waitForURL(pages + paths.login)
  await page.getByText('Your account is closed').first().waitFor()
  expect((await send(`${USER}/details`, { token: person.jwtToken })).status).toBe(401)
})
