import type { TierEdition } from '@tapeline/contracts/config/plans'
import { send, signUpUser } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const TIERS = `${gatewayUrl}/api/v1/admin/tiers`
const operator = callOperator(platform)

let browser: Browser
let page: Page
let token: string
let before: TierEdition
beforeAll(async () => {
  browser = await openBrowser()
  const admin = await signUpUser(gatewayUrl)
  token = admin.jwtToken
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  before = await newest()
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(`${webUrl}${paths.login}?${new URLSearchParams({ next: `${paths.admin}?tab=shadow` }).toString()}`)
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('This tier has no shadow limits.').waitFor()
})
afterAll(async () => {
  await browser?.close()
  const { version } = await newest()
  await send(`${TIERS}/pro`, { method: 'PUT', token, body: { document: before.tiers.pro, version } })
  await operator.close()
})

async function newest(): Promise<TierEdition> {
  return (await send<{ data: TierEdition }>(TIERS, { token })).body.data
}

const button = (name: string) => page.getByRole('button', { name, exact: true })

async function confirm(title: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function propose(burst: string): Promise<void> {
  await page.getByLabel('Burst, per second, proposed').fill(burst)
  await button('Try these limits').click()
  await page.getByText(/^counting since /).waitFor()
}

test('limits are tried and removed without changing the tier', async () => {
  expect(await button('Enforce').getAttribute('aria-disabled')).toBe('true')
  await propose('99')
  expect((await newest()).shadow.pro?.rateLimits.burstLimit).toBe(99)
  expect(await findBarriers(page)).toEqual([])
  await button('Remove').click()
  await confirm('Remove the shadow limits of Pro?', 'Remove')
  await page.getByText('This tier has no shadow limits.').waitFor()
  expect(await newest()).toMatchObject({ shadow: {}, tiers: { pro: before.tiers.pro } })
})

test('invalid limits are rejected with the reason, and the input stays', async () => {
  await page.getByLabel('Burst, per second, proposed').fill('0')
  await button('Try these limits').click()
  await page
    .getByRole('alert')
    .getByText(/burstLimit/)
    .waitFor()
  expect(await page.getByLabel('Burst, per second, proposed').inputValue()).toBe('0')
  expect((await newest()).shadow).toEqual({})
})

test('limits that are enforced become those of the tier', async () => {
  await propose('98')
  await button('Enforce').click()
  await confirm('Enforce the shadow limits of Pro?', 'Enforce')
  await page.getByRole('row', { name: /^Burst, per second 98/ }).waitFor()
  const { shadow, tiers } = await newest()
  expect(shadow).toEqual({})
  expect(tiers.pro.rateLimits).toEqual({ ...before.tiers.pro.rateLimits, burstLimit: 98 })
})
