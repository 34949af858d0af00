import { createKeyFor, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { copiedText } from './copied-text.ts'
import { expectWidth } from './edges-of.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const KEYS = `${gatewayUrl}/api/v1/internal/api-keys`

let browser: Browser
let page: Page
let account: TestAccount
beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpUser(gatewayUrl)
  await setTier(platform, account.user.id, 'pro')
  await createKeyFor(gatewayUrl, account.jwtToken, 'reads trades')
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  page = await context.newPage()
  await page.goto(`${webUrl}${paths.login}?next=${paths.serviceKeys}`)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('No service keys yet').waitFor()
})
afterAll(() => browser?.close())

const card = () => page.getByRole('article', { name: 'deploy-bot' })
const listKeys = (token: string) => send<{ code?: string }>(KEYS, { token })

test('a service key made on the page works within its scopes until it is revoked there', async () => {
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Create service key' }).click()
  const form = page.getByRole('dialog', { name: 'Create service key' })
  await form.getByLabel('Key Name').fill('deploy-bot')
  await form.getByRole('button', { name: 'Create service key' }).click()
  await form.getByText('Choose at least one').waitFor()
  await form.getByLabel('keys:read').check()
  expect(await findBarriers(page)).toEqual([])
  await form.getByRole('button', { name: 'Create service key' }).click()
  const created = page.getByRole('dialog', { name: 'Service key created' })
  await created.getByRole('button', { name: 'Copy', exact: true }).click()
  const key = await copiedText(page, /^tl_svc_/)
  await created.getByRole('button', { name: 'Done' }).click()
  await created.waitFor({ state: 'detached' })

  expect(key).toMatch(/^tl_svc_/)
  expect(await page.content()).not.toContain(key.slice(20, 40))
  expect((await listKeys(key)).status).toBe(200)
  const refused = await send<{ code: string }>(KEYS, { token: key, body: { name: 'more' } })
  expect(refused.body.code).toBe('api_key.scope_missing')
  await card().getByText('keys:read').waitFor()
  await card().getByText('any address').waitFor()
  await card().getByText('Active', { exact: true }).waitFor()
  expect(await page.getByRole('article', { name: 'reads trades' }).count()).toBe(0)
  expect(await findBarriers(page)).toEqual([])

  const may = page.getByRole('region', { name: 'What deploy-bot may do' })
  await may.getByRole('row', { name: /^keys yes no [1-9]/ }).waitFor()
  const secret = page.getByRole('region', { name: 'Secret and limits' })
  await secret.getByText('It does not expire').waitFor()
  await secret.getByText(/^none: shares the account’s/).waitFor()

  await page.getByRole('button', { name: 'Actions for deploy-bot' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await waitUntil('the key is refused', async () => (await listKeys(key)).body.code === 'api_key.revoked')
  await card().getByText('Revoked').waitFor()
})

test('unused scopes are removed, and during a rotation both secrets work', async () => {
  await page.getByRole('button', { name: 'Create service key' }).click()
  const form = page.getByRole('dialog', { name: 'Create service key' })
  await form.getByLabel('Key Name').fill('report')
  await form.getByLabel('usage:read').check()
  await form.getByLabel('audit:read').check()
  await form.getByRole('button', { name: 'Create service key' }).click()
  const created = page.getByRole('dialog', { name: 'Service key created' })
  // The clipboard still has the first key.
  await page.evaluate(`navigator.clipboard.writeText('')`)
  await created.getByRole('button', { name: 'Copy', exact: true }).click()
  const key = await copiedText(page, /^tl_svc_/)
  await created.getByRole('button', { name: 'Done' }).click()
  await send(`${gatewayUrl}/api/v1/internal/apikeyaudit/api-key-usage`, { token: key })

  await page
    .getByRole('article', { name: 'report' })
    .getByRole('button', { name: 'report', exact: true })
    .press('Enter')
  const may = page.getByRole('region', { name: 'What report may do' })
  await may.getByText('audit:read', { exact: true }).waitFor()
  await may.getByRole('button', { name: 'Remove' }).click()
  const remove = page.getByRole('dialog', { name: 'Remove unused scopes of report' })
  await remove.getByRole('button', { name: 'Remove' }).click()
  await page.locator('.toast', { hasText: 'report is saved' }).waitFor()
  await may.getByRole('row', { name: /^audit no/ }).waitFor()
  const trail = await send<{ code?: string }>(`${gatewayUrl}/api/v1/internal/audit-trail`, { token: key })
  expect(trail.body.code).toBe('api_key.scope_missing')

  await page.getByRole('button', { name: 'Rotate (old secret works for 24 h)' }).click()
  const rotate = page.getByRole('dialog', { name: 'Regenerate report' })
  expect(await rotate.getByLabel('The old key stops working').inputValue()).toBe('86400')
  await rotate.getByRole('button', { name: 'Regenerate' }).click()
  const shown = page.getByRole('dialog', { name: 'Service key created' })
  await shown.getByRole('button', { name: 'Copy', exact: true }).click()
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('article', { name: 'report' }).getByText('Old secret still works').waitFor()
  await page.setViewportSize({ width: 360, height: 800 })
  await expectWidth(page, 360)
  expect(await findBarriers(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('the sidebar leads to the page, and the API keys page does not list service keys', async () => {
  await page.goto(webUrl + paths.apiKeys)
  await page.getByRole('article', { name: 'reads trades' }).waitFor()
  expect(await card().count()).toBe(0)
  await page.getByRole('link', { name: 'Service Keys' }).click()
  await page.waitForURL(webUrl + paths.serviceKeys)
  await card().waitFor()
})
