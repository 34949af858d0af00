import type { StartedDeviceLogin } from '@tapeline/contracts/identity/device-logins'
import { send, signUpUser } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const { webUrl, gatewayUrl } = runningPlatform()
const LOGINS = `${gatewayUrl}/api/v1/internal/user/device-logins`
let browser: Browser
let page: Page
let email = ''

async function start(): Promise<StartedDeviceLogin> {
  const body = { client_name: 'Tapeline command line on laptop' }
  return (await send<{ data: StartedDeviceLogin }>(LOGINS, { body })).body.data
}
const finish = ({ device_code }: StartedDeviceLogin) =>
  send<{ code?: string; data?: { user: { email: string } } }>(`${LOGINS}/finish`, { body: { device_code } })

beforeAll(async () => {
  browser = await openBrowser()
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
})
afterAll(() => browser?.close())

test('the URL from the terminal leads through sign-in to the device page; the device signs in once approved', async () => {
  const account = await signUpUser(gatewayUrl)
  email = account.email
  const device = await start()
  const { pathname, search } = new URL(device.verification_uri_complete)
  await page.goto(webUrl + pathname + search)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Tapeline command line on laptop').waitFor()
  await page.getByText(device.user_code, { exact: true }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect((await finish(device)).body.code).toBe('device_login.pending')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('Approved. Return to the device').waitFor()
  expect((await finish(device)).body.data?.user.email).toBe(email)
})

test('a code is typed in any case; a denied device does not sign in, and its code is used up', async () => {
  const device = await start()
  await page.goto(webUrl + paths.device)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByText('Enter the eight letters that the device shows').waitFor()
  await page.getByLabel('Code').fill(device.user_code.replace('-', '').toLowerCase())
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('button', { name: 'Deny', exact: true }).click()
  await page.getByText('Denied. The device was not signed in.').waitFor()
  expect((await finish(device)).body.code).toBe('device_login.denied')
  await page.goto(`${webUrl}${paths.device}?code=${device.user_code}`)
  await page.getByText('No device is waiting for this code').waitFor()
  await page.getByRole('button', { name: 'Enter another code' }).click()
  await page.getByLabel('Code').waitFor()
})
