import { check } from 'k6'
import { Trend } from 'k6/metrics'
import { accountsOf, gatewayOf, turnOf } from '../lib/accounts.ts'
import { ask, checkLimits, parse } from '../lib/ask.ts'
import { finish } from '../lib/finish.ts'
import { beginIteration, journeyOptions } from '../lib/journey.ts'

// A month of trades, page by page: from a moment anywhere in the last 30 days, ten pages of a thousand.
const PAGES = 10
const PAGE_ROWS = 1_000
const DAY_MS = 86_400_000
const SYMBOLS = ['BTC-USDT', 'ETH-USDT', 'SOL-USDT', 'SPY-USD']
const pageDepth = new Trend('ten_pages_ms', true)
const readers = accountsOf('readers').filter(({ tier }) => tier !== 'free')

export const options = journeyOptions({
  parts: { paging: { exec: 'pageThrough', perSecond: 1, iterationSeconds: 10 } },
  latencies: { pro: { p95: 300, p99: 600 }, basic: { p95: 300, p99: 600 } },
})

type Page = { data: { ts_event: string; id: string }[]; next_cursor: string | null; has_more: boolean }

export function pageThrough() {
  const iteration = beginIteration()
  const { apiKey, tier } = turnOf(readers, iteration)
  const url = `${gatewayOf(iteration)}/api/v1/trades/list`
  const start = new Date(Date.now() - Math.random() * 30 * DAY_MS).toISOString()
  const filter = { venues: ['sim'], symbols: [turnOf(SYMBOLS, iteration)], start, order: 'asc', limit: PAGE_ROWS }
  const beganMs = Date.now()
  let body: object = filter
  let last = { ts_event: '', id: '' }
  for (let page = 0; page < PAGES; page += 1) {
    const reply = ask({ method: 'POST', url, name: 'trades page', token: apiKey, tier, body })
    checkLimits(reply)
    const read = parse<Page>(reply)
    const rows = read?.data ?? []
    const before = last
    check(reply, {
      'a page comes': () => read !== undefined,
      'times never go back, over all pages': () => areInOrder([before, ...rows]),
      'no row comes twice': () => new Set([before, ...rows].map(({ id }) => id)).size === rows.length + 1,
    })
    last = rows.at(-1) ?? last
    if (read?.next_cursor == null || !read.has_more) break
    body = { cursor: read.next_cursor }
    if (page === PAGES - 1) pageDepth.add(Date.now() - beganMs)
  }
}

function areInOrder(rows: { ts_event: string }[]): boolean {
  return rows.every((row, index) => index === 0 || (rows[index - 1]?.ts_event ?? '') <= row.ts_event)
}

export const handleSummary = (data: unknown) => finish('page-30-days', data)
