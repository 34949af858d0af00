import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { callOperator } from '@tapeline/testing/operator'
import { afterAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { cutCalls } from './calls-of-page.ts'
import { pageOfFile, sessionOf } from './page-of-file.ts'

// Specification §4 and §8, global configurations.

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const CONFIGS = `${gatewayUrl}/api/v1/admin/global-configs`
const KEY = `e2e.e2e_${crypto.randomUUID().replaceAll('-', '_')}`
const STORED = { rules: { a: 1, b: 2, c: 3 } }
const operator = callOperator(platform)
afterAll(() => operator.close())

let admin: TestAccount
const page = pageOfFile(async () => {
  admin = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  await store(STORED)
  return sessionOf(admin)
})

async function store(value: unknown): Promise<void> {
  const body = { updates: [{ key: KEY, value }] }
  expect((await send(CONFIGS, { method: 'PUT', token: admin.jwtToken, body })).status).toBe(200)
}

async function storedNow(): Promise<unknown> {
  const { body } = await send<{ data: Record<string, { value: unknown }> }>(CONFIGS, { token: admin.jwtToken })
  return body.data[KEY]?.value
}

const button = (name: string) => page().getByRole('button', { name, exact: true })
const editor = () => page().getByRole('textbox', { name: `JSON of ${KEY}` })
const shown = () => page().getByRole('group', { name: `JSON of ${KEY}` })

test('the JSON preview collapses to 3 lines', async () => {
  await page().goto(`${webUrl}${paths.admin}?${new URLSearchParams({ tab: 'configs', key: KEY }).toString()}`)
  const preview = page().getByRole('navigation', { name: 'Configurations' }).locator('button[aria-current] pre')
  expect(((await preview.textContent()) ?? '').split('\n')).toEqual(['{', '  "rules": {', '    "a": 1,'])
})

test('global config editing: view, edit, and Cancel, which restores the stored value', async () => {
  expect(JSON.parse((await shown().textContent()) ?? '')).toEqual(STORED)
  await button('Edit').click()
  await editor().fill('{ "a": 2 }')
  await button('Cancel').click()
  expect(JSON.parse((await shown().textContent()) ?? '')).toEqual(STORED)
  expect(await storedNow()).toEqual(STORED)
})

test("'Error updating configuration: {message}' without a response; edit mode stays", async () => {
  const restore = await cutCalls(page(), { to: '**/api/v1/admin/global-configs', method: 'PUT' })
  await button('Edit').click()
  await editor().fill('{ "a": 2 }')
  await button('Save').click()
  const failure = page().getByRole('alert').filter({ hasText: 'Error updating configuration' })
  await failure.getByText('Error updating configuration: The API cannot be reached. Please try again.').waitFor()
  expect(await editor().inputValue()).toBe('{ "a": 2 }')
  await restore()
})

test('after a successful save the displayed value is updated', async () => {
  await button('Save').click()
  await page().locator('.toasts b', { hasText: '1 updated, 0 failed' }).waitFor()
  await editor().waitFor({ state: 'detached' })
  await shown().filter({ hasText: '2' }).waitFor()
  expect(JSON.parse((await shown().textContent()) ?? '')).toEqual({ a: 2 })
  expect(await storedNow()).toEqual({ a: 2 })
})

test("'Failed to update configuration' when the server rejects the change because the user is no longer an admin", async () => {
  // Without the event about the new role, as in a suspended tab.
  await cutCalls(page(), { to: '**/api/v1/internal/events*' })
  await page().reload()
  await button('Edit').click()
  await editor().fill('{ "a": 3 }')
  await operator.ofUsers('set-role', admin.user.id, 'tester')
  await button('Save').click()
  await page()
    .getByRole('alert')
    .getByText(/^Failed to update configuration\. ./)
    .waitFor()
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  expect(await storedNow()).toEqual({ a: 2 })
})
