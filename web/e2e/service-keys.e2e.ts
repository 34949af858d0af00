import { createKeyFor, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const { webUrl, gatewayUrl } = runningPlatform()
const KEYS = `${gatewayUrl}/api/v1/internal/api-keys`

let browser: Browser
let page: Page
let account: TestAccount
beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpUser(gatewayUrl)
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
  await page.getByText('No Service Keys Yet').waitFor()
})
afterAll(() => browser?.close())

const card = () => page.getByRole('article', { name: 'deploy-bot' })
const listKeys = (token: string) => send<{ code?: string }>(KEYS, { token })

test('a service key made on the page works within its scopes until it is revoked there', async () => {
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Create Service Key' }).click()
  const form = page.getByRole('dialog', { name: 'Create Service Key' })
  await form.getByLabel('Key Name').fill('deploy-bot')
  await form.getByRole('button', { name: 'Create Service Key' }).click()
  await form.getByText('Choose at least one').waitFor()
  await form.getByLabel('keys:read').check()
  expect(await findBarriers(page)).toEqual([])
  await form.getByRole('button', { name: 'Create Service Key' }).click()
  const created = page.getByRole('dialog', { name: 'Service Key Created' })
  await created.getByRole('button', { name: 'Copy', exact: true }).click()
  const key = await page.evaluate<string>('navigator.clipboard.readText()')
  await created.getByRole('button', { name: 'Done' }).click()

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

  await page.getByRole('button', { name: 'Actions for deploy-bot' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await waitUntil('the key is refused', async () => (await listKeys(key)).body.code === 'api_key.revoked')
  await card().getByText('Revoked').waitFor()
})

test('the sidebar leads to the page, and the API keys page does not list service keys', async () => {
  await page.goto(webUrl + paths.apiKeys)
  await page.getByRole('article', { name: 'reads trades' }).waitFor()
  expect(await card().count()).toBe(0)
  await page.getByRole('link', { name: 'Service Keys' }).click()
  await page.waitForURL(webUrl + paths.serviceKeys)
  await card().waitFor()
})
