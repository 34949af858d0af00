import type { KeyAnswer } from '@tapeline/contracts/api-key/http'
import { createKeyFor, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const { webUrl, gatewayUrl } = runningPlatform()
const SENT = 5
const CAP = 3

let browser: Browser
let page: Page
let token: string
let apiKey: string
let keyId: string
beforeAll(async () => {
  browser = await openBrowser()
  const owner = await signUpUser(gatewayUrl)
  token = owner.jwtToken
  const created = await createKeyFor(gatewayUrl, token, 'reader')
  ;[apiKey, keyId] = [created.apiKey, created.key.id]
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(`${webUrl}${paths.login}?${new URLSearchParams({ next: paths.apiKeys }).toString()}`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await card().waitFor()
})
afterAll(() => browser?.close())

const card = () => page.getByRole('article', { name: 'reader' })
const tryLimits = () => page.getByRole('dialog', { name: 'Try limits of reader' })
const inDialog = (name: string) => tryLimits().getByRole('button', { name, exact: true })

async function keyNow() {
  const url = `${gatewayUrl}/api/v1/internal/api-keys/${keyId}`
  return (await send<{ data: KeyAnswer }>(url, { token })).body.data.key
}

async function confirm(title: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function enter(limit: number): Promise<void> {
  await tryLimits().getByLabel('Requests per minute, proposed').fill(String(limit))
  await inDialog('Try these limits').click()
}

async function tryPerMinute(limit: number): Promise<void> {
  await enter(limit)
  await tryLimits()
    .getByText(/^Counting since /)
    .waitFor()
}

test('limits of a key are tried and removed without changing the key', async () => {
  await page.getByRole('button', { name: 'Actions for reader' }).click()
  await page.getByRole('menuitem', { name: 'Try limits' }).click()
  await tryLimits().getByText('This key has no shadow limits.').waitFor()
  expect(await inDialog('Apply').getAttribute('aria-disabled')).toBe('true')
  expect(await findBarriers(page)).toEqual([])
  await enter(0)
  await tryLimits().getByRole('alert').getByText(/./).waitFor()
  expect((await keyNow()).shadow_limits).toBeUndefined()
  await tryPerMinute(99)
  expect((await keyNow()).shadow_limits?.rate_limits).toEqual({ requestsPerMinute: 99 })
  expect(await findBarriers(page)).toEqual([])
  await inDialog('Remove').click()
  await confirm('Remove the shadow limits of reader?', 'Remove')
  await tryLimits().getByText('This key has no shadow limits.').waitFor()
  expect(await keyNow()).toMatchObject({ rate_limits: null })
})

test('the dialog shows what would have been rejected, and its limits become those of the key', async () => {
  await tryPerMinute(CAP)
  for (let n = 0; n < SENT; n += 1) expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  await tryLimits()
    .getByText(`${SENT - CAP} of ${SENT} (40%)`)
    .waitFor()
  await tryLimits().getByText('Longest wait').waitFor()
  await tryLimits().getByRole('button', { name: 'Close' }).click()
  await card()
    .getByText(`${SENT - CAP} of ${SENT} requests would be rejected`)
    .waitFor()
  expect(await findBarriers(page)).toEqual([])
  await card().getByRole('button', { name: 'Show details' }).click()
  await inDialog('Apply').click()
  await confirm('Apply the shadow limits to reader?', 'Apply')
  await card().getByText('Shadow limits', { exact: true }).waitFor({ state: 'detached' })
  const key = await keyNow()
  expect([key.rate_limits, key.shadow_limits]).toEqual([{ requestsPerMinute: CAP }, undefined])
})
