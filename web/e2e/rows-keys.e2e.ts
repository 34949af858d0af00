import { listKeysOf, listTrades, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { cutCalls, delayCalls } from './calls-of-page.ts'
import { expectVisible, pageOfFile, sessionOf } from './page-of-file.ts'

// Specification §2, §4 and §8, API keys: one key from its creation to its deletion.

const { webUrl, gatewayUrl } = runningPlatform()
const KEYS = '**/api/v1/internal/api-keys'
const BULLETS = '•'.repeat(16)

let person: TestAccount
let secret: string
const page = pageOfFile(async () => sessionOf((person = await signUpUser(gatewayUrl))))

const button = (name: string) => page().getByRole('button', { name, exact: true })
const dialog = (name: string) => page().getByRole('dialog', { name })
const card = () => page().getByRole('article', { name: 'notebook' })
const toasted = (text: string) => page().locator('.toasts b', { hasText: text }).waitFor()

/** A browser that denies clipboard access: without the permission and without a user gesture. */
async function copyRefused(): Promise<void> {
  const cdp = await page().context().newCDPSession(page())
  const permission = { name: 'clipboard-write' }
  await cdp.send('Browser.setPermission', { permission, setting: 'denied', origin: webUrl })
  const evaluate = async (expression: string) => (await cdp.send('Runtime.evaluate', { expression })).result.value
  // The last click counts as a user gesture for some seconds.
  await waitUntil('the last click is over', () => evaluate('!navigator.userActivation.isActive'))
  await evaluate(`document.querySelector('.secret-once button').click()`)
  // Copying ends after the click.
  await page().getByRole('alert').getByText('Failed to copy API key to clipboard.').waitFor()
  await cdp.send('Browser.setPermission', { permission, setting: 'granted', origin: webUrl })
  await cdp.detach()
}

test("the header shows a loading state, then 'N key(s) configured', and a note says that keys are visible only once", async () => {
  const end = await delayCalls(page(), { to: KEYS })
  await page().goto(webUrl + paths.apiKeys)
  await page().getByText('Loading your keys…').waitFor()
  end('answered')
  await page().getByText('0 keys configured').waitFor()
  await expectVisible(page().getByText('A key is shown in full once, when it is created.'))
})

test("with no keys: 'No API Keys Yet' and a Create Your First API Key button, and none in the header", async () => {
  await page().getByRole('heading', { name: 'No API Keys Yet' }).waitFor()
  expect(await button('Create API Key').count()).toBe(0)
  await button('Create Your First API Key').click()
})

test('the create dialog: Key Name (required), Description, Expiration Date (optional date), and a note that rate limits follow the subscription tier', async () => {
  const create = dialog('Create API Key')
  expect(await create.getByLabel('Expiration Date').getAttribute('type')).toBe('date')
  await create.getByLabel('Description').waitFor()
  await create.getByText('Rate limits follow your subscription tier (free)').waitFor()
  await create.getByRole('button', { name: 'Create API Key' }).click()
  await create.getByText('Give the key a name').waitFor()
  expect((await listKeysOf(gatewayUrl, person.jwtToken)).apiKeys).toEqual([])
})

test("'Failed to create API key. Please try again.', and the input stays", async () => {
  const create = dialog('Create API Key')
  const restore = await cutCalls(page(), { to: KEYS, method: 'POST' })
  await create.getByLabel('Key Name').fill('notebook')
  await create.getByLabel('Description').fill('reads trades at night')
  await create.getByLabel('Expiration Date').fill('2099-12-31')
  await create.getByRole('button', { name: 'Create API Key' }).click()
  await create.getByRole('alert').getByText('Failed to create API key. Please try again.').waitFor()
  await restore()
  await create.getByRole('button', { name: 'Create API Key' }).click()
  await expectVisible(dialog('API Key Created'))
})

test("a one-time dialog shows the full key with a copy button and Done; 'Failed to copy API key to clipboard.' if the browser denies access", async () => {
  const once = dialog('API Key Created')
  secret = (await once.getByTestId('secret').textContent()) ?? ''
  expect(secret).toMatch(/^tl_live_\w+/)
  await copyRefused()
  await expectVisible(once.getByRole('alert').getByText('Failed to copy API key to clipboard.'))
  const copy = once.getByRole('button', { name: 'Copy', exact: true })
  await copy.click()
  await once.getByRole('button', { name: 'Copied' }).waitFor()
  await once.getByRole('button', { name: 'Done' }).click()
  await once.waitFor({ state: 'detached' })
})

test('otherwise a list of key cards, and a header Create API Key button', async () => {
  await card().waitFor()
  await page().getByText('1 key configured').waitFor()
  expect(await button('Create API Key').count()).toBe(1)
  expect(await button('Create Your First API Key').count()).toBe(0)
})

test('a card shows name, description, Active, the first 20 characters of the key then an ellipsis, creation date, last used date', async () => {
  await card().getByRole('heading', { name: 'notebook' }).waitFor()
  for (const text of ['reads trades at night', 'Active', 'Not used in 30 days']) {
    await card().getByText(text, { exact: true }).waitFor()
  }
  expect(await card().locator('code').first().textContent()).toBe(`${secret.slice(0, 20)}…`)
  await card()
    .getByText(/^Created \d{1,2} \w{3} \d{4}$/)
    .waitFor()
  await card()
    .getByText(/^Expires 31 Dec 2099/)
    .waitFor()
})

test("a show/hide toggle masks the key with sixteen bullets; 'Cannot copy masked API key. Keys are only shown once during creation.'", async () => {
  const code = card().locator('code').first()
  await card().getByRole('button', { name: 'Mask notebook' }).click()
  expect(await code.textContent()).toBe(BULLETS)
  await card().getByRole('button', { name: 'Copy notebook' }).click()
  await toasted('Cannot copy masked API key. Keys are only shown once during creation.')
  await card().getByRole('button', { name: 'Show prefix of notebook' }).click()
  expect(await code.textContent()).not.toBe(BULLETS)
})

test('a card shows totals for total, success and failed requests, and when the key was used last', async () => {
  expect((await listTrades(gatewayUrl, secret)).status).toBe(200)
  expect((await listTrades(gatewayUrl, secret, { venues: ['sim'], limit: -1 })).status).toBe(400)
  for (const [name, count] of [
    ['Total', 2],
    ['Successful', 1],
    ['Failed', 1],
  ] as const) {
    await card()
      .locator('.numeric')
      .filter({ hasText: new RegExp(`^${name} requests ${count}$`) })
      .waitFor()
  }
  await card()
    .getByText(/^Last used \d+ s ago$/)
    .waitFor()
})

test("an Activate/Deactivate toggle: 'Inactive', then 'Active' again", async () => {
  const toggle = card().getByRole('switch', { name: 'notebook active' })
  await toggle.uncheck()
  await card().getByText('Inactive', { exact: true }).waitFor()
  await toggle.check()
  await expectVisible(card().getByText('Active', { exact: true }))
})

test("Delete asks 'Are you sure you want to delete this API key? This action cannot be undone.', and Cancel keeps the key", async () => {
  await button('Actions for notebook').click()
  await page().getByRole('menuitem', { name: 'Delete' }).click()
  const confirmation = dialog('Delete notebook')
  await confirmation.getByText('Are you sure you want to delete this API key? This action cannot be undone.').waitFor()
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await confirmation.waitFor({ state: 'detached' })
  await expectVisible(card())
})

test("'Failed to delete API key. Please try again.'; a key is removed on confirmed delete", async () => {
  const restore = await cutCalls(page(), { to: `${KEYS}/*/delete`, method: 'DELETE' })
  await button('Actions for notebook').click()
  await page().getByRole('menuitem', { name: 'Delete' }).click()
  const confirmation = dialog('Delete notebook')
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await confirmation.getByRole('alert').getByText('Failed to delete API key. Please try again.').waitFor()
  await restore()
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await page().getByRole('heading', { name: 'No API Keys Yet' }).waitFor()
  // Its menu button no longer exists.
  await expect.poll(() => page().evaluate<string>('document.activeElement.id')).toBe('main')
  expect((await listKeysOf(gatewayUrl, person.jwtToken)).apiKeys).toEqual([])
})
