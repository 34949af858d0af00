import { createKeyFor, listKeysOf, listTrades, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { textCopiedBy } from './copied-text.ts'

const { webUrl, gatewayUrl } = runningPlatform()
const SEEN_WITHIN_MS = 30_000

let browser: Browser
let page: Page
let account: TestAccount
beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpUser(gatewayUrl)
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  page = await context.newPage()
  await page.goto(`${webUrl}${paths.login}?next=${paths.apiKeys}`)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('No API Keys Yet').waitFor()
})
afterAll(() => browser?.close())

const card = (name: string) => page.getByRole('article', { name })
const statusOf = async (key: string) => (await listTrades(gatewayUrl, key)).status
const becomes = (key: string, status: number) =>
  waitUntil(`the key gets ${status}`, async () => ((await statusOf(key)) === status ? true : undefined))

async function choose(name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Whether a text occurs anywhere in the heap of the page. */
async function isInMemory(text: string): Promise<boolean> {
  const cdp = await page.context().newCDPSession(page)
  let snapshot = ''
  cdp.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => (snapshot += chunk))
  await cdp.send('HeapProfiler.collectGarbage')
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await cdp.detach()
  return snapshot.includes(text)
}

test('a new key is tested in its dialog, and removed from the page and its memory when the dialog closes', async () => {
  await page.keyboard.press('n')
  await page.getByLabel('Key Name').fill('notebook')
  await page.getByRole('dialog').getByRole('button', { name: 'Create API Key' }).click()
  const dialog = page.getByRole('dialog', { name: 'API Key Created' })
  await dialog.getByRole('button', { name: 'Send a request' }).click()
  const proof = dialog.getByRole('status').filter({ hasText: ' ms' })
  await proof.getByText('200').waitFor()
  await proof.getByText(/\d+ requests? left/).waitFor()
  expect(await findBarriers(page)).toEqual([])
  const key = await textCopiedBy(page, dialog.getByRole('button', { name: 'Copy', exact: true }))
  const secret = key.slice(21, 40)
  expect(await dialog.textContent()).toContain(secret)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(secret)
  await waitUntil('the secret is gone from memory', async () => ((await isInMemory(secret)) ? undefined : true))
  const storage = 'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])'
  expect(await page.evaluate<string>(storage)).not.toContain(secret)

  await card('notebook').getByRole('switch', { name: 'notebook active' }).uncheck()
  await card('notebook').getByText('Inactive').waitFor()
  await becomes(key, 401)
  await card('notebook').getByRole('switch', { name: 'notebook active' }).check()
  await card('notebook').getByText('Active', { exact: true }).waitFor()
  await becomes(key, 200)
})

test('a key is edited: errors are shown at their fields, and accepted changes apply', async () => {
  await choose('notebook', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit notebook' })
  expect(await dialog.getByRole('button', { name: 'Save key' }).getAttribute('aria-disabled')).toBe('true')
  await dialog.getByLabel('Key Name').fill('order-router')
  await dialog.getByLabel('l2events:read').uncheck()
  await dialog.getByLabel('Allowed networks').fill('everywhere')
  await dialog.getByRole('button', { name: 'Save key' }).click()
  await dialog.locator('.error').waitFor()
  await dialog.locator('[name="networks"]:focus').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByLabel('Allowed networks').fill('192.0.2.0/24\n::1')
  await dialog.getByRole('button', { name: 'Save key' }).click()
  await card('order-router').waitFor()
  const { apiKeys } = await listKeysOf(gatewayUrl, account.jwtToken)
  expect(apiKeys).toMatchObject([{ name: 'order-router', scopes: ['trades:read', 'files:read', 'stream:read'] }])
  expect(apiKeys[0]?.networks).toHaveLength(2)
})

test('a key is regenerated with grace: the page shows whether the old and the new one are used', async () => {
  const { apiKey: old } = await createKeyFor(gatewayUrl, account.jwtToken, 'backtest')
  await card('backtest').waitFor()
  await choose('backtest', 'Regenerate')
  await page.getByRole('dialog').getByLabel('The old key stops working').selectOption('3600')
  await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click()
  const dialog = page.getByRole('dialog', { name: 'API Key Created' })
  const renewed = await textCopiedBy(page, dialog.getByRole('button', { name: 'Copy', exact: true }))
  await dialog.getByRole('button', { name: 'Done' }).click()
  await card('backtest').getByText('Old secret still works').waitFor()
  await card('backtest').getByText('The new one is not used yet').waitFor()
  expect(await statusOf(old)).toBe(200)
  await card('backtest')
    .getByText(/last used \d+ \w+ ago/)
    .waitFor({ timeout: SEEN_WITHIN_MS })
  expect(await statusOf(renewed)).toBe(200)
  await card('backtest')
    .getByText('The new one is not used yet')
    .waitFor({ state: 'detached', timeout: SEEN_WITHIN_MS })
  await card('backtest').getByRole('button', { name: 'End the old secret now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End the old secret' }).click()
  await card('backtest').getByText('Old secret still works').waitFor({ state: 'detached' })
  expect([await statusOf(old), await statusOf(renewed)]).toEqual([401, 200])
})

test('keys are searched and sorted; both are part of the URL', async () => {
  await createKeyFor(gatewayUrl, account.jwtToken, 'zebra')
  const first = (name: string) => page.getByRole('article').first().getByRole('heading', { name }).waitFor()
  await first('zebra')
  // In quick succession, to check that neither change reverts the other.
  await page.getByLabel('Order', { exact: true }).selectOption('name')
  await page.getByLabel('Find a key').fill('ROUTER')
  await page.waitForURL(`${webUrl}${paths.apiKeys}?find=ROUTER&sort=name`)
  await card('zebra').waitFor({ state: 'detached' })
  await first('order-router')
  await page.getByLabel('Find a key').fill('nothing')
  await page.getByText('No key matches this search.').waitFor()
  expect(await findBarriers(page)).toEqual([])
})
