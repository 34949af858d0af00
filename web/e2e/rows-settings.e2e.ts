import { signUpUser } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { cutCalls, delayCalls } from './calls-of-page.ts'
import { expectVisible, pageOfFile, sessionOf } from './page-of-file.ts'

// Specification §2, §4 and §8, settings.

const { webUrl, gatewayUrl } = runningPlatform()
const SETTINGS = '**/api/v1/internal/user/settings'
const DETAILS = '**/api/v1/internal/user/details'

const page = pageOfFile(async () => sessionOf(await signUpUser(gatewayUrl)))

const group = (name: string) => page().getByRole('radiogroup', { name, exact: true })

test("the states: 'Loading settings...', and the form", async () => {
  await page().goto(webUrl + paths.profile)
  await page().getByText('Personal Information').waitFor()
  // The details call also returns them.
  const ends = [await delayCalls(page(), { to: SETTINGS }), await delayCalls(page(), { to: DETAILS })]
  await page().goto(webUrl + paths.settings)
  await expectVisible(page().locator('p', { hasText: 'Loading settings...' }))
  for (const end of ends) end('answered')
  await page().getByRole('heading', { name: 'Appearance' }).waitFor()
})

test.each([
  ['Theme', ['Light', 'Dark', 'System'], 'Dark'],
  ['Language', ['English', 'Español', 'Français'], 'English'],
  ['Default view', ['Overview', 'API Keys', 'Metrics'], 'Overview'],
  ['Items per page', ['10', '20', '50'], '20'],
  ['Frequency', ['Immediate', 'Daily', 'Weekly'], 'Daily'],
])('%s: %j, by default %s', async (name, options, standard) => {
  expect(await group(name).locator('label').allTextContents()).toEqual(options)
  expect(await group(name).getByRole('radio', { name: standard, exact: true }).isChecked()).toBe(true)
})

test('Timezone: UTC, Eastern, Pacific, London, by default UTC', async () => {
  const zones = page().getByLabel('Timezone')
  const names = (await zones.locator('option').allTextContents()).map((text) => text.split(',')[0])
  expect(names.slice(0, 4)).toEqual(['UTC', 'Eastern', 'Pacific', 'London'])
  expect(await zones.inputValue()).toBe('UTC')
})

test('Compact mode is off, email notifications and push notifications are on by default', async () => {
  const isOn = async (name: string) => [name, await page().getByRole('switch', { name }).isChecked()]
  expect(await isOn('Compact mode')).toEqual(['Compact mode', false])
  expect(await isOn('Email notifications')).toEqual(['Email notifications', true])
  expect(await isOn('Push notifications')).toEqual(['Push notifications', true])
})

test("'Failed to save settings', 'API not available', and the change is kept", async () => {
  await page().unrouteAll()
  const restore = await cutCalls(page(), { to: SETTINGS, method: 'PUT' })
  await page().getByLabel('Compact mode').check()
  // Both at once, because the message disappears after 3 s.
  const message = page().locator('p', { hasText: 'Failed to save settings' }).filter({ hasText: 'API not available' })
  await expectVisible(message)
  await restore()
  await page().getByRole('button', { name: 'Save Changes' }).click()
  await page().getByText('Settings saved successfully!').waitFor()
})

test("'Failed to load settings' (defaults used), 'API not available', and a retry", async () => {
  const restore = [await cutCalls(page(), { to: SETTINGS }), await cutCalls(page(), { to: DETAILS })]
  await page().reload()
  await page().getByRole('heading', { name: 'Failed to load settings' }).waitFor()
  await page().getByText('API not available').waitFor()
  const dataset = await page().evaluate<{ density?: string }>('({ ...document.documentElement.dataset })')
  expect(dataset.density).not.toBe('compact')
  for (const once of restore) await once()
  await page().getByRole('button', { name: 'Try Again' }).click()
  await page().getByRole('heading', { name: 'Appearance' }).waitFor()
  expect(await page().getByLabel('Compact mode').isChecked()).toBe(true)
})
