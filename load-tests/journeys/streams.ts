import { check } from 'k6'
import { Counter, Trend } from 'k6/metrics'
import { setTimeout } from 'k6/timers'
import { WebSocket } from 'k6/websockets'
import { accountsOf, gatewayOf, turnOf } from '../lib/accounts.ts'
import { checkLimits, type Reply, sendCall } from '../lib/send-call.ts'
import { finish } from '../lib/finish.ts'
import { beginIteration, journeyOptions } from '../lib/journey.ts'

// A client follows the trades of an instrument, from half a minute ago into the present, then lists the same trades.
const FOLLOW_MS = 5_000
const BEFORE_MS = 30_000
const LIST_ROWS = 1_000
/** Length of a time up to its milliseconds. */
const MS_DIGITS = '2026-01-01T00:00:00.000'.length
const NORMAL_CLOSURE = 1_000
/** Instruments that have trades at all times. */
const SYMBOLS = ['BTC-USDT', 'ETH-USDT', 'SOL-USDT']
const subscribedMs = new Trend('subscribed_ms', true)
const deliveredMs = new Trend('delivered_ms', true)
const streamedTrades = new Counter('streamed_trades')
const followers = accountsOf('followers')

const LATENCY = { p95: 300, p99: 600 }
const tiers = [...new Set(followers.map(({ tier }) => tier))]

export const options = journeyOptions({
  parts: { following: { exec: 'follow', perSecond: 5, iterationSeconds: 8 } },
  latencies: Object.fromEntries(tiers.map((tier) => [tier, LATENCY])),
  thresholds: { streamed_trades: ['count>0'] },
})

const INTERRUPTIONS = new Set(['error', 'goodbye', 'slow_consumer'])

type Message = { type: string; mode?: string; data?: { id: string; ts_out: string }[] }
type Following = { ids: string[]; problems: string[]; isLive: boolean }

export function follow() {
  const iteration = beginIteration()
  const { apiKey, tier } = turnOf(followers, iteration)
  const gateway = gatewayOf(iteration)
  const beganMs = Date.now()
  const start = new Date(beganMs - BEFORE_MS).toISOString()
  const filter = { venues: ['sim'], symbols: [turnOf(SYMBOLS, iteration)], start }
  const following: Following = { ids: [], problems: [], isLive: false }
  const headers = { authorization: `Bearer ${apiKey}`, 'sec-websocket-protocol': 'tapeline.v1' }
  const socket = new WebSocket(`${gateway.replace(/^http/, 'ws')}/api/v1/stream`, null, { headers })
  socket.onopen = () => {
    socket.send(JSON.stringify({ op: 'subscribe', id: 'a', channel: 'trades', ...filter }))
    setTimeout(() => socket.close(NORMAL_CLOSURE), FOLLOW_MS)
  }
  socket.onmessage = (event) => {
    if (typeof event?.data === 'string') read(event.data, following, beganMs)
  }
  socket.onerror = (event) => following.problems.push(event?.error ?? 'failed')
  socket.onclose = () => {
    const body = { ...filter, order: 'asc', limit: LIST_ROWS }
    const listed = sendCall({
      method: 'POST',
      url: `${gateway}/api/v1/trades/list`,
      name: 'trades',
      token: apiKey,
      tier,
      body,
    })
    checkLimits(listed)
    checkFollowed(following, listed)
  }
}

function read(text: string, following: Following, beganMs: number): void {
  // The checks validate its content.
  const { type, mode, data = [] } = JSON.parse(text) as Message
  if (INTERRUPTIONS.has(type)) following.problems.push(text)
  if (type === 'subscribed') subscribedMs.add(Date.now() - beganMs)
  if (mode === 'live' || text.includes('"live":true')) following.isLive = true
  if (type !== 'trades') return
  for (const { id, ts_out: sent } of data) {
    following.ids.push(id)
    const sentMs = Date.parse(`${sent.slice(0, MS_DIGITS)}Z`)
    // The text of an older trade may be that of an earlier subscription.
    if (sentMs > beganMs) deliveredMs.add(Math.max(0, Date.now() - sentMs))
  }
  streamedTrades.add(data.length)
}

function checkFollowed({ ids, problems, isLive }: Following, listed: Reply): void {
  const stored = (listed.json('data.#.id') ?? []) as string[]
  check(ids, {
    'the stream is not interrupted': () => problems.length === 0,
    'the stream reaches the present': () => isLive,
    'trades are streamed': () => ids.length > 0,
    'the streamed trades are the listed ones, in their order': () => ids.every((id, n) => id === stored[n]),
  })
}

export const handleSummary = (data: unknown) => finish('streams', data)
