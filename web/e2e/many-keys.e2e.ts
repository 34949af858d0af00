import { createKeyFor, listKeysOf, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const { webUrl, gatewayUrl } = runningPlatform()

let browser: Browser
let page: Page
let account: TestAccount
beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpUser(gatewayUrl)
  for (const [name, tags] of [
    ['one', ['old']],
    ['two', ['old', 'prod']],
    ['three', ['prod']],
  ] as const) {
    const { key } = await createKeyFor(gatewayUrl, account.jwtToken, name)
    const url = `${gatewayUrl}/api/v1/internal/api-keys/${key.id}`
    expect((await send(url, { method: 'PUT', token: account.jwtToken, body: { tags } })).status).toBe(200)
  }
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  page = await context.newPage()
  await page.goto(`${webUrl}${paths.login}?next=${paths.apiKeys}`)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await row('one').waitFor()
})
afterAll(() => browser?.close())

const row = (name: string) => page.getByRole('article', { name, exact: true })
const statesOf = async () =>
  Object.fromEntries((await listKeysOf(gatewayUrl, account.jwtToken)).apiKeys.map(({ name, status }) => [name, status]))

async function changeTagged(label: string) {
  await page.getByRole('button', { name: 'Change all tagged old' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change all keys tagged old' })
  await dialog.getByLabel('Change', { exact: true }).selectOption({ label })
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('listitem').filter({ hasText: 'one' }).waitFor()
  // Past messages are a list in the dialog too.
  expect(await dialog.locator('.bulk-preview li').count()).toBe(2)
  return dialog
}

test('keys are filtered by tag, paused together after a preview, and as before after Undo', async () => {
  await page.getByLabel('Tag', { exact: true }).selectOption('old')
  await row('three').waitFor({ state: 'detached' })
  const dialog = await changeTagged('Pause')
  expect(await findBarriers(page)).toEqual([])
  expect(await statesOf()).toEqual({ one: 'active', two: 'active', three: 'active' })
  await dialog.getByRole('button', { name: 'Change 2 keys' }).click()
  const result = page.getByRole('dialog', { name: 'Keys tagged old' })
  await result.getByText('2 keys are changed').waitFor()
  expect(await statesOf()).toEqual({ one: 'inactive', two: 'inactive', three: 'active' })
  await result.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.toast', { hasText: '2 keys are as before' }).waitFor()
  expect(await statesOf()).toEqual({ one: 'active', two: 'active', three: 'active' })
})

test('replaced secrets are shown once, and must be copied before the dialog closes', async () => {
  const dialog = await changeTagged('Replace the secrets')
  await dialog.getByRole('button', { name: 'Change 2 keys' }).click()
  const result = page.getByRole('dialog', { name: 'Keys tagged old' })
  await result.getByRole('button', { name: 'Copy the new secrets' }).click()
  expect((await page.evaluate<string>('navigator.clipboard.readText()')).match(/tl_live_/g)).toHaveLength(2)
  await result.getByRole('button', { name: 'Done' }).click()
  await result.waitFor({ state: 'detached' })
  expect(await page.content()).not.toMatch(/tl_live_\w{12}_/)
})

test('a key gets tags in its dialog, and the account chooses what happens to leaked keys', async () => {
  await page.getByLabel('Tag', { exact: true }).selectOption('')
  await page.getByRole('button', { name: 'Actions for three' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit three' })
  await form.getByLabel('Tags').fill('prod team:data')
  await form.getByLabel('Owner').fill('Data team')
  await form.getByRole('button', { name: 'Save Key' }).click()
  await row('three').getByText('team:data').waitFor()

  const policy = page.getByRole('radiogroup', { name: 'Leaked keys' })
  expect(await policy.getByRole('radio', { name: 'Revoke at once' }).isChecked()).toBe(true)
  await policy.getByText('Only warn me').click()
  await page.reload()
  await policy.getByRole('radio', { name: 'Only warn me', checked: true }).waitFor({ state: 'attached' })
  expect(await findBarriers(page)).toEqual([])
})
