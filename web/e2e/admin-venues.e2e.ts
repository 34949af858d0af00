import type { VenueList } from '@tapeline/contracts/market-data/venues'
import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const operator = callOperator(platform)
const VENUES = `${gatewayUrl}/api/v1/admin/venues`

let browser: Browser
let page: Page
let admin: TestAccount
beforeAll(async () => {
  browser = await openBrowser()
  admin = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  // Paused, so that no test connects to a venue.
  await save('okx', { symbols: ['BTC-USDT'], is_paused: true, version: (await venue('okx'))?.version ?? 0 })
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(`${webUrl}${paths.login}?${new URLSearchParams({ next: `${paths.admin}?tab=venues` }).toString()}`)
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('region', { name: 'OKX' }).waitFor()
})
afterAll(async () => {
  const { version = 0 } = (await venue('okx')) ?? {}
  await save('okx', { symbols: [], is_paused: false, version })
  await browser?.close()
  await operator.close()
})

async function venue(name: string) {
  const { body } = await send<{ data: VenueList }>(VENUES, { token: admin.jwtToken })
  return body.data.venues.find((one) => one.venue === name)
}

async function save(name: string, body: object): Promise<void> {
  const { status } = await send(`${VENUES}/${name}`, { method: 'PUT', token: admin.jwtToken, body })
  expect(status).toBe(200)
}

test('a venue shows its connected symbols, which are changed with a reason', async () => {
  const okx = page.getByRole('region', { name: 'OKX' })
  await okx.getByText('Paused').waitFor()
  await okx.getByRole('cell', { name: 'BTC-USDT', exact: true }).waitFor()
  expect(await findBarriers(page)).toEqual([])

  await okx.getByRole('button', { name: 'Symbols' }).click()
  const dialog = page.getByRole('dialog', { name: 'Symbols of OKX' })
  await dialog.getByLabel('Symbols').fill('btc-usdt, nonsense')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('okx has no symbol of the form NONSENSE').waitFor()
  await dialog.getByLabel('Symbols').fill('btc-usdt eth-usdt-perp')
  await dialog.getByLabel('Why').fill('a wish of the desk')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.locator('.toasts b', { hasText: 'Symbols of OKX saved' }).waitFor()
  await okx.getByRole('cell', { name: 'ETH-USDT-PERP' }).waitFor()
  expect(await venue('okx')).toMatchObject({ symbols: ['BTC-USDT', 'ETH-USDT-PERP'], is_paused: true })
  const trail = await send(`${gatewayUrl}/api/v1/internal/audit-trail?account=platform&type=market-data`, {
    token: admin.jwtToken,
  })
  expect(trail.status).toBe(200)
})

test('a dialog shows the effect of resuming before confirmation, and a change by another admin is not overwritten', async () => {
  const okx = page.getByRole('region', { name: 'OKX' })
  await okx.getByRole('button', { name: 'Resume' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resume OKX' })
  await dialog.getByText('Connections are opened within seconds').waitFor()
  const before = await venue('okx')
  await save('okx', { symbols: ['SOL-USDT'], is_paused: true, version: before?.version })
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await dialog.getByText('were changed in the meantime').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await okx.getByRole('cell', { name: 'SOL-USDT' }).waitFor()
  expect((await venue('okx'))?.is_paused).toBe(true)
})

test('the page fits the width of a phone', async () => {
  await page.setViewportSize({ width: 360, height: 800 })
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(360)
})
