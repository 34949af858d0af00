import { readFile } from 'node:fs/promises'
import { createKeyFor, listKeysOf, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { textCopiedBy } from './copied-text.ts'

const DAY_MS = 86_400_000
const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform

let browser: Browser
let page: Page
let account: TestAccount
beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpUser(gatewayUrl)
  await setTier(platform, account.user.id, 'pro')
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
  await dialog.getByRole('listitem').filter({ hasText: /^one/ }).waitFor()
  // Past messages are a list in the dialog too.
  expect(await dialog.locator('.bulk-preview li').count()).toBe(2)
  return dialog
}

test('keys are filtered by tag, paused together after a preview, and restored by Undo', async () => {
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
  await page.locator('.toast', { hasText: 'Change undone for 2 keys' }).waitFor()
  expect(await statesOf()).toEqual({ one: 'active', two: 'active', three: 'active' })
})

test('a changed selection whose new preview cannot be loaded is an error in the dialog, and nothing changes', async () => {
  const dialog = await changeTagged('Pause')
  const other = (await listKeysOf(gatewayUrl, account.jwtToken)).apiKeys.find(({ name }) => name === 'three')
  const setTags = (tags: string[]) =>
    send(`${gatewayUrl}/api/v1/internal/api-keys/${other?.id}`, {
      method: 'PUT',
      token: account.jwtToken,
      body: { tags },
    })
  expect((await setTags(['old', 'prod'])).status).toBe(200)
  const change = '**/api/v1/internal/api-keys/bulk'
  await page.route(change, (route) =>
    route.request().postData()?.includes('"preview"') === true ? route.continue() : route.abort(),
  )
  await dialog.getByRole('button', { name: 'Change 2 keys' }).click()
  await dialog.getByRole('alert').getByText('The keys could not be changed.').waitFor()
  await page.unroute(change)
  expect(await statesOf()).toEqual({ one: 'active', two: 'active', three: 'active' })
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('button', { name: 'Change 3 keys' }).waitFor()
  expect((await setTags(['prod'])).status).toBe(200)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('replaced secrets are shown once, and must be copied before the dialog closes', async () => {
  const dialog = await changeTagged('Replace the secrets')
  await dialog.getByRole('button', { name: 'Change 2 keys' }).click()
  const result = page.getByRole('dialog', { name: 'Keys tagged old' })
  const secrets = await textCopiedBy(page, result.getByRole('button', { name: 'Copy the new secrets' }))
  expect(secrets.match(/tl_live_/g)).toHaveLength(2)
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
  await form.getByRole('button', { name: 'Save key' }).click()
  await row('three').getByText('team:data').waitFor()

  const policy = page.getByRole('radiogroup', { name: 'Leaked keys' })
  const chosen = (label: string) => policy.getByRole('radio', { name: label, checked: true })
  await page.route('**/leak-policy', (route) => (route.request().method() === 'PUT' ? route.abort() : route.fallback()))
  await policy.getByText('Only warn me').click()
  await page.getByRole('alert').waitFor()
  await page.unroute('**/leak-policy')
  await chosen('Revoke at once').waitFor({ state: 'attached' })
  await policy.getByText('Only warn me').click()
  await page.locator('.toast', { hasText: 'The setting for leaked keys is saved' }).waitFor()
  await page.reload()
  await chosen('Only warn me').waitFor({ state: 'attached' })
  expect(await findBarriers(page)).toEqual([])
})

test('keys not used for days are exported and revoked together, except one that was used in the meantime', async () => {
  const { apiKey } = await createKeyFor(gatewayUrl, account.jwtToken, 'quiet')
  for (const name of ['idle', 'idler']) await createKeyFor(gatewayUrl, account.jwtToken, name)
  // Sets the clock of the page ten days ahead.
  await page.clock.setSystemTime(Date.now() + 10 * DAY_MS)
  await page.goto(`${webUrl}${paths.apiKeys}?sort=name`)
  await page.getByLabel('Last use').selectOption({ label: 'Unused for 30 days' })
  await page.getByText('No key matches this search.').waitFor()
  await page.getByLabel('Last use').selectOption({ label: 'Unused for 7 days' })
  await row('quiet').waitFor()
  await page.getByLabel('State', { exact: true }).selectOption('active')
  await page.getByLabel('Find a key').fill('tl_live_')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = (await readFile((await (await download).path()) ?? '', 'utf8')).trim().split('\r\n')
  expect(lines[0]).toContain('last_used_at,days_unused')
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(expect.arrayContaining(['idle', 'idler', 'quiet']))

  await page.getByRole('button', { name: 'Revoke unused keys' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke unused keys' })
  await dialog.getByRole('listitem').filter({ hasText: 'quiet' }).getByText('never used').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await send(`${gatewayUrl}/api/v1/trades/latest`, { token: apiKey, body: { symbols: ['BTC-USDT'] } })
  await waitUntil('the use is recorded', async () => {
    const { apiKeys } = await listKeysOf(gatewayUrl, account.jwtToken)
    return apiKeys.find(({ name }) => name === 'quiet')?.last_used_at != null
  })
  await dialog.getByRole('button', { name: /^Revoke \d keys?$/ }).click()
  await page.locator('.toast', { hasText: '1 was used meanwhile and is kept' }).waitFor()
  const states = await statesOf()
  expect([states['idle'], states['idler'], states['quiet']]).toEqual(['revoked', 'revoked', 'active'])
})
