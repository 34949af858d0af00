import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Trade } from '@tapeline/contracts/market-data/http'
import type { ServerMessage } from '@tapeline/contracts/market-data/stream'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { mergeTrades } from './merge-trades.ts'
import { followMarket } from './market-stream.ts'

const trade = (sequence: number): Trade => ({
  id: `sim:BTC-USDT:${sequence}`,
  venue: 'sim',
  symbol: 'BTC-USDT',
  venue_symbol: 'BTCUSDT',
  instrument_id: 1,
  ts_event: `2026-11-23T10:00:0${sequence}.000000000Z`,
  ts_recv: '2026-11-23T10:00:00.000000000Z',
  sequence: String(sequence),
  flags: [],
  trade_id: null,
  venue_sequence: null,
  price: '1',
  size: '1',
  side: 'buy',
  side_source: 'venue',
})
const batch = (cursor: string, ...sequences: number[]): ServerMessage => ({
  type: 'trades',
  id: 'tape',
  cursor,
  data: sequences.map((sequence) => ({ ...trade(sequence), ts_out: trade(sequence).ts_event })),
})
const subscribed: ServerMessage = {
  type: 'subscribed',
  id: 'tape',
  channel: 'trades',
  instruments: [],
  mode: 'live',
  cursor: 'c0',
  warnings: [],
}

/** A server that answers each connection with the next of these scripts, then closes it. */
async function serve(scripts: ServerMessage[][]) {
  const http = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => http.once('listening', resolve))
  const server = new WebSocketServer({ server: http })
  const requests: { url: string | undefined; protocol: string; subscribe: unknown }[] = []
  server.on('connection', (socket, { url }) => {
    socket.on('message', (data: Buffer) =>
      requests.push({ url, protocol: socket.protocol, subscribe: JSON.parse(data.toString()) }),
    )
    socket.once('message', () => {
      for (const message of scripts.shift() ?? []) socket.send(JSON.stringify(message))
      socket.close()
    })
  })
  const { port } = http.address() as AddressInfo
  close.push(async () => {
    server.close()
    await new Promise((resolve) => http.close(resolve))
  })
  return { url: `ws://127.0.0.1:${port}`, requests }
}

const close: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const one of close.splice(0)) await one()
})

test('a stream that ends is resumed at its cursor with a new ticket, and a rejected subscription is not repeated', async () => {
  const restarting = {
    type: 'error',
    problem: { type: '', title: '', status: 503, code: 'service.unavailable', success: false, message: '' },
  } as unknown as ServerMessage
  const refused: ServerMessage = {
    type: 'error',
    id: 'tape',
    problem: { type: '', title: '', status: 403, code: 'api_key.scope_missing', success: false, message: '' },
  } as unknown as ServerMessage
  const { url, requests } = await serve([
    [subscribed, batch('c1', 1, 2), restarting],
    [subscribed, batch('c2', 3)],
    [refused],
  ])
  const received: string[] = []
  const states: boolean[] = []
  let tickets = 0
  await followMarket(
    {
      openTicket: async () => `t${(tickets += 1)}`,
      openSocket: (ticket) => new WebSocket(`${url}/?ticket=${ticket}`, 'tapeline.v1'),
      onTrades: (trades) => received.push(...trades.map(({ sequence }) => sequence)),
      onBook: () => undefined,
      onBookEnd: () => undefined,
      onLive: (isLive) => states.push(isLive),
    },
    { venue: 'sim', symbol: 'BTC-USDT', hasBook: false },
    new AbortController().signal,
  )
  expect(received).toEqual(['1', '2', '3'])
  expect(states).toEqual([true, false, true, false, false])
  expect(requests.map(({ url: href, protocol }) => [href, protocol])).toEqual([
    ['/?ticket=t1', 'tapeline.v1'],
    ['/?ticket=t2', 'tapeline.v1'],
    ['/?ticket=t3', 'tapeline.v1'],
  ])
  expect(requests.map(({ subscribe }) => subscribe)).toMatchObject([
    { op: 'subscribe', channel: 'trades', venues: ['sim'], symbols: ['BTC-USDT'], cursor: null },
    { cursor: 'c1' },
    { cursor: 'c2' },
  ])
})

test('the book is followed on the same connection, and a rejected book does not affect the trades', async () => {
  const change = { type: 'snapshot', sequence: '7', bids: [['1', '2']], asks: [], gap: null }
  const book = { type: 'book.10', id: 'book', cursor: 'b1', data: [change] } as unknown as ServerMessage
  const problem = { type: '', title: '', status: 410, code: 'cursor.expired', success: false, message: '' }
  const lost = { type: 'error', id: 'book', problem } as unknown as ServerMessage
  const refused = { type: 'error', id: 'tape', problem } as unknown as ServerMessage
  const { url, requests } = await serve([
    [subscribed, book, batch('c1', 1)],
    [subscribed, lost, batch('c2', 2)],
    [refused],
  ])
  const received: string[] = []
  await followMarket(
    {
      openTicket: async () => 't',
      openSocket: (ticket) => new WebSocket(`${url}/?ticket=${ticket}`, 'tapeline.v1'),
      onTrades: (trades) => received.push(...trades.map(({ sequence }) => `trade ${sequence}`)),
      onBook: (changes) => received.push(...changes.map(({ sequence }) => `book ${sequence}`)),
      onBookEnd: () => received.push('no book'),
      onLive: () => undefined,
    },
    { venue: 'sim', symbol: 'BTC-USDT', hasBook: true },
    new AbortController().signal,
  )
  expect(received).toEqual(['book 7', 'trade 1', 'no book', 'trade 2'])
  const books = () => requests.map(({ subscribe }) => subscribe).filter((one) => (one as { id: string }).id === 'book')
  // The server may read the last one only after the client has ended.
  await vi.waitFor(() => expect(books()).toHaveLength(3), 10_000)
  expect(books()).toMatchObject([
    { channel: 'book.10', venues: ['sim'], symbols: ['BTC-USDT'], cursor: null },
    { cursor: 'b1' },
    { cursor: null },
  ])
})

test('an aborted stream ends at once and does not reconnect', async () => {
  const stop = new AbortController()
  let tickets = 0
  const following = followMarket(
    {
      openTicket: async () => {
        tickets += 1
        stop.abort()
        throw new Error('no ticket')
      },
      openSocket: () => {
        throw new Error('must not be opened')
      },
      onTrades: () => undefined,
      onBook: () => undefined,
      onBookEnd: () => undefined,
      onLive: () => undefined,
    },
    { venue: 'sim', symbol: 'BTC-USDT', hasBook: false },
    stop.signal,
  )
  await following
  expect(tickets).toBe(1)
})

test('listed and streamed trades are merged newest first, each once', () => {
  const merged = mergeTrades([trade(4), trade(3)], [trade(3), trade(2), trade(1)], 3)
  expect(merged.map(({ sequence }) => sequence)).toEqual(['4', '3', '2'])
  const sameMoment = [trade(1), { ...trade(2), ts_event: trade(1).ts_event }]
  expect(mergeTrades([], sameMoment, 2).map(({ sequence }) => sequence)).toEqual(['2', '1'])
})
