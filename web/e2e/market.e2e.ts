import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { BarPage } from '@tapeline/contracts/market-data/bars'
import type { BookAnswer } from '@tapeline/contracts/market-data/book'
import type { TradePage } from '@tapeline/contracts/market-data/http'
import { createKeyFor, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { setTier } from '@tapeline/testing/set-subscription'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { textCopiedBy } from './copied-text.ts'

const MINUTE_MS = 60_000
const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
/** Within the simulated history; whole minutes, so that the newest candle is complete. */
const at = new Date(Math.floor((Date.now() - 30 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS).toISOString()
const moment = `?venue=sim&symbol=BTC-USDT&at=${at}`
const call = { venues: ['sim'], symbols: ['BTC-USDT'], end: at, order: 'desc', limit: 90 }

let browser: Browser
let page: Page
let account: TestAccount

beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpUser(gatewayUrl)
  await setTier(platform, account.user.id, 'pro')
  const permissions = ['clipboard-read', 'clipboard-write']
  page = await (await browser.newContext({ permissions, reducedMotion: 'reduce' })).newPage()
  await page.goto(webUrl + paths.login)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.waitForURL(webUrl + paths.profile)
})
afterAll(() => browser?.close())

const chart = () => page.getByRole('group', { name: /^Candles of/ })
const read = async <T>(path: string, body: object) =>
  (await send<T>(gatewayUrl + path, { token: account.jwtToken, body })).body
/** In the page's English format. */
const plain = (text: string | null) => Number((text ?? '').replaceAll(',', ''))

test('live, the page shows the newest trade and updates automatically', async () => {
  await page.getByRole('link', { name: 'Market' }).click()
  await page.waitForURL(webUrl + paths.market)
  await page.getByRole('heading', { name: 'Latest trades' }).waitFor()
  const newest = page.getByRole('region', { name: 'Trades, table' }).getByRole('row').nth(1).getByRole('cell').last()
  const before = plain(await newest.textContent())
  expect(before).toBeGreaterThan(0)
  await page.getByText('Trades arrive over the live stream.').waitFor()
  await expect.poll(async () => plain(await newest.textContent()), { timeout: MINUTE_MS }).toBeGreaterThan(before)
})

test('at a moment, candles, trades and book are those of the API', async () => {
  await page.goto(webUrl + paths.market + moment)
  const bars = (await read<BarPage>('/api/v1/trades/bars', { ...call, interval: '1m' })).data
  const trades = (await read<TradePage>('/api/v1/trades/list', call)).data
  const book = (await read<BookAnswer>('/api/v1/l2events/book', { venue: 'sim', symbol: 'BTC-USDT', at, depth: 9 }))
    .data
  await chart().locator('i.rising, i.falling').first().waitFor()
  const since = Date.parse(at) - 90 * MINUTE_MS
  const shown = bars.filter(({ ts_start }) => Date.parse(ts_start) >= since)
  expect(await chart().locator('> i').count()).toBe(shown.length)
  await chart().press('End')
  const readout = page.locator('.controls .read b')
  await readout.first().waitFor()
  const [newest] = bars
  expect((await readout.allTextContents()).map(plain)).toEqual(
    [newest?.open, newest?.high, newest?.low, newest?.close].map(Number),
  )
  const rows = page.getByRole('region', { name: 'Trades, table' }).getByRole('row')
  expect(plain(await rows.nth(1).getByRole('cell').last().textContent())).toBe(Number(trades[0]?.sequence))
  const prices = page.getByRole('table', { name: /^Order book/ }).locator('tr.bid .price')
  await prices.first().waitFor()
  expect((await prices.allTextContents()).map(plain)).toEqual(book.bids.map(([price]) => Number(price)))
})

test('arrows move through the candles, steps and the slider through time, and the URL stores both', async () => {
  await page.goto(webUrl + paths.market + moment)
  await chart().locator('i.rising, i.falling').first().waitFor()
  await chart().press('Home')
  const first = await page.locator('.controls .read time').textContent()
  await chart().press('ArrowRight')
  await expect.poll(() => page.locator('.controls .read time').textContent(), { timeout: MINUTE_MS }).not.toBe(first)
  await page.getByRole('button', { name: 'One second earlier' }).click()
  const earlier = new Date(Date.parse(at) - 1_000).toISOString()
  await page.waitForURL((url) => url.searchParams.get('at') === earlier)
  await page.getByRole('slider', { name: 'Time of day, UTC' }).press('ArrowRight')
  await page.waitForURL((url) => url.searchParams.get('at') === at)
  await page.getByText('5 m', { exact: true }).click()
  await page.waitForURL((url) => url.searchParams.get('candle') === '5m')
  await page.reload()
  await page.getByRole('group', { name: /^Candles of 5m/ }).waitFor()
  await page.getByText('Live', { exact: true }).click()
  await page.waitForURL((url) => !url.searchParams.has('at'))
})

test('an instrument is found by a few letters and opened with Enter', async () => {
  await page.goto(webUrl + paths.market)
  await page.getByRole('searchbox', { name: 'Find an instrument' }).fill('sol sim')
  await page.getByRole('status').getByText('1 instrument', { exact: true }).waitFor()
  await page.getByRole('searchbox', { name: 'Find an instrument' }).press('Enter')
  await page.waitForURL((url) => url.searchParams.get('symbol') === 'SOL-USDT')
  await page.getByRole('heading', { name: 'SOL-USDT' }).waitFor()
  expect(new URL(page.url()).searchParams.get('venue')).toBe('sim')
})

test('each copied call runs unchanged and returns what the page shows', async () => {
  const { apiKey } = await createKeyFor(gatewayUrl, account.jwtToken, 'notebook')
  await page.goto(webUrl + paths.market + moment)
  const counts: Record<string, number> = {}
  for (const tab of ['Candles', 'Trades', 'Book']) {
    await page.getByRole('tab', { name: tab }).click()
    // The button is called "Copied" for a moment after the previous copy.
    const command = await textCopiedBy(page, page.getByRole('button', { name: 'Copy as curl' }))
    const env = { ...process.env, TAPELINE_API_KEY: apiKey }
    const { data }: { data: unknown } = JSON.parse((await promisify(execFile)('sh', ['-c', command], { env })).stdout)
    counts[tab] = Array.isArray(data) ? data.length : Object.keys(data ?? {}).length
  }
  expect(counts).toMatchObject({ Candles: 90, Trades: 150 })
  expect(counts['Book']).toBeGreaterThan(5)
})

test('on the smallest plan the page loads completely within the limits; an older time names the plan that includes it', async () => {
  const live = await openAs(await signUpUser(gatewayUrl), `?venue=sim&symbol=BTC-USDT`)
  await live
    .getByRole('group', { name: /^Candles of/ })
    .locator('i.rising, i.falling')
    .first()
    .waitFor()
  await live.getByRole('table', { name: /^Order book/ }).waitFor()
  await live.getByRole('region', { name: 'Trades, table' }).waitFor()
  expect(await live.getByRole('alert').allTextContents()).toEqual([])
  const old = new Date(Date.now() - 30 * 60 * MINUTE_MS).toISOString()
  const past = await openAs(await signUpUser(gatewayUrl), `?venue=sim&symbol=BTC-USDT&at=${old}`)
  await past.getByText('The candles could not be loaded').waitFor()
  await past.getByRole('searchbox', { name: 'Find an instrument' }).waitFor()
})

async function openAs({ email, password }: TestAccount, search: string): Promise<Page> {
  const opened = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await opened.goto(`${webUrl}${paths.login}?next=${encodeURIComponent(paths.market + search)}`)
  await opened.getByLabel('Email').fill(email)
  await opened.getByLabel('Password', { exact: true }).fill(password)
  await opened.getByRole('button', { name: /^Sign in/ }).click()
  await opened.waitForURL((url) => url.pathname === paths.market)
  return opened
}
