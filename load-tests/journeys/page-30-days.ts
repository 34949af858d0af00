import { check } from 'k6'
import { Gauge, Trend } from 'k6/metrics'
import { accountsOf, gatewayOf, turnOf } from '../lib/accounts.ts'
import { checkLimits, parse, type Reply, sendCall } from '../lib/send-call.ts'
import { finish } from '../lib/finish.ts'
import { historiesOf, type History, type Listed } from '../lib/history.ts'
import { beginIteration, journeyOptions } from '../lib/journey.ts'

// Ten pages of 1,000 trades from a random time in the last 30 days, or in the history of the platform if it is shorter.
const PAGES = 10
const PAGE_ROWS = 1_000
const DAYS_MAX = 30
const HOUR_MS = 3_600_000
const SYMBOLS = ['BTC-USDT', 'ETH-USDT', 'SOL-USDT', 'SPY-USD']
const tenPages = new Trend('ten_pages_ms', true)
/** Part of the result: the length of the time from which starts are drawn. */
const historyHours = new Gauge('history_hours')
const readers = accountsOf('readers').filter(({ tier }) => tier !== 'free')

const LATENCY = { p95: 300, p99: 600 }
const tiers = [...new Set(readers.map(({ tier }) => tier))]

export const options = journeyOptions({
  parts: { paging: { exec: 'pageThrough', perSecond: 1, iterationSeconds: 10 } },
  latencies: Object.fromEntries(tiers.map((tier) => [tier, LATENCY])),
})

/** Reads which times have records: pages that begin before the first record would all begin at it. */
export function setup(): History[] {
  const { apiKey: token } = turnOf(readers, 0)
  const reply = sendCall({ method: 'GET', url: `${gatewayOf(0)}/api/v1/instruments`, name: 'instruments', token })
  const instruments = parse<{ data?: Listed[] }>(reply)?.data ?? []
  const histories = historiesOf(instruments, { symbols: SYMBOLS, daysMax: DAYS_MAX, nowMs: Date.now() })
  for (const { fromMs, toMs } of histories) historyHours.add((toMs - fromMs) / HOUR_MS)
  return histories
}

export function pageThrough(histories: History[]) {
  const iteration = beginIteration()
  const { apiKey, tier } = turnOf(readers, iteration)
  const url = `${gatewayOf(iteration)}/api/v1/trades/list`
  const { symbol, fromMs, toMs } = turnOf(histories, iteration)
  const start = new Date(fromMs + Math.random() * (toMs - fromMs)).toISOString()
  let body: object = { venues: ['sim'], symbols: [symbol], start, order: 'asc', limit: PAGE_ROWS }
  const beganMs = Date.now()
  let last: Row = { time: '', id: '' }
  for (let page = 0; page < PAGES; page += 1) {
    const reply = sendCall({ method: 'POST', url, name: 'trades page', token: apiKey, tier, body })
    checkLimits(reply)
    const read = readPage(reply)
    const rows: readonly Row[] = [last, ...read.rows]
    check(rows, {
      'the page is returned': () => reply.status === 200,
      'rows are in order of time over all pages': areInOrder,
      'no row is repeated': (all) => new Set(all.map(({ id }) => id)).size === all.length,
    })
    last = rows.at(-1) ?? last
    if (read.cursor === undefined) return
    body = { cursor: read.cursor }
  }
  tenPages.add(Date.now() - beganMs)
}

type Row = { time: string; id: string }

/**
 * Extracts only the checked fields: parsing a whole page would cost the generator more than the page costs the
 * platform.
 */
function readPage(reply: Reply): { rows: Row[]; cursor: string | undefined } {
  if (reply.status !== 200) return { rows: [], cursor: undefined }
  const times = texts(reply.json('data.#.ts_event'))
  const ids = texts(reply.json('data.#.id'))
  const cursor = reply.json('has_more') === true ? reply.json('next_cursor') : undefined
  return {
    rows: times.map((time, index) => ({ time, id: ids[index] ?? '' })),
    cursor: typeof cursor === 'string' ? cursor : undefined,
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function areInOrder(rows: readonly Row[]): boolean {
  return rows.every(({ time }, index) => index === 0 || (rows[index - 1]?.time ?? '') <= time)
}

export const handleSummary = (data: unknown) => finish('page-30-days', data)
