import type { UsageReport } from '@tapeline/contracts/audit/http'
import type { TradePage } from '@tapeline/contracts/market-data/http'
import { createKeyFor, send, signUpUser } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl } = runningPlatform()
const STREAM = '/api/v1/stream'
const TRADES_WITHIN_MS = 60_000
const USAGE_WITHIN_MS = 60_000
const SHORTEST_MESSAGE_BYTES = 20

type Message = { type: string; cursor?: string; data?: { sequence: string; ts_out?: string }[] }

/** Opened as a page does: a browser's WebSocket cannot send headers, so it uses a ticket. */
async function follow(token: string, cursor: string | null) {
  const { status, body } = await send<{ data: { ticket: string } }>(`${gatewayUrl}${STREAM}/tickets`, {
    token,
    method: 'POST',
  })
  expect(status).toBe(201)
  const address = `${gatewayUrl.replace('http', 'ws')}${STREAM}?ticket=${body.data.ticket}`
  const socket = new WebSocket(address, 'tapeline.v1')
  const messages: Message[] = []
  socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the stream was not opened')))
  })
  const subscription = { op: 'subscribe', id: 'a', channel: 'trades', venues: ['sim'], symbols: ['BTC-USDT'] }
  socket.send(JSON.stringify(cursor === null ? subscription : { ...subscription, cursor }))
  const trades = () => messages.flatMap(({ type, data = [] }) => (type === 'trades' ? data : []))
  // What the gateway still sends while the client closes would be counted but not received.
  const close = async () => {
    socket.send(JSON.stringify({ op: 'unsubscribe', id: 'a' }))
    const isUnsubscribed = () => messages.some(({ type }) => type === 'unsubscribed')
    await waitUntil('the subscription is ended', isUnsubscribed, TRADES_WITHIN_MS)
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve))
    socket.close()
    await closed
  }
  return { messages, trades, close }
}

test('a page follows trades as they happen, and the same cursor continues over REST and over another stream', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken, 'ticker')
  const first = await follow(jwtToken, null)
  await waitUntil('three trades', () => first.trades().length >= 3, TRADES_WITHIN_MS)
  await first.close()
  const cursor = first.messages.findLast(({ type }) => type === 'trades')?.cursor ?? ''

  const again = await follow(jwtToken, cursor)
  await waitUntil('the stream has later trades', () => again.trades().length > 0, TRADES_WITHIN_MS)
  await again.close()
  const sequences = [...first.trades(), ...again.trades()].map(({ sequence }) => Number(sequence))
  expect(sequences).toEqual(sequences.map((_, n) => (sequences[0] ?? 0) + n))

  const filter = { venues: ['sim'], symbols: ['BTC-USDT'] }
  const { body } = await send<TradePage>(`${gatewayUrl}/api/v1/trades/list`, {
    token: apiKey,
    body: { ...filter, cursor },
  })
  expect(body.data[0]?.sequence).toBe(again.trades()[0]?.sequence)
  const received = first.messages.length + again.messages.length
  // An open stream is also counted at each full minute: both connections may be counted before all of their messages.
  const isCounted = async () => ((await usageOf(jwtToken))?.messages ?? 0) >= received
  await waitUntil('all messages are in usage', isCounted, USAGE_WITHIN_MS)
  const streams = await usageOf(jwtToken)
  expect(streams).toMatchObject({ connections: 2, messages: received })
  expect(streams?.bytes_out).toBeGreaterThan(received * SHORTEST_MESSAGE_BYTES)
})

async function usageOf(token: string) {
  const path = '/api/v1/internal/apikeyaudit/dashboard-metrics?period=1h'
  const { body } = await send<{ data: UsageReport }>(gatewayUrl + path, { token })
  return body.data.streams
}
