import type { EmulatedChange, EmulatedLevel, EmulatedTrade } from './emulated-market.ts'
import { startStreamingVenue, type StreamingVenueOptions } from './streaming-venue.ts'
import type { Venue } from './venue.ts'

type Request = { op: 'subscribe' | 'unsubscribe'; args: { channel: string; instId: string }[] }

/** Public channels of OKX's API v5: each id refers to the previous one; the checksum is always 0. */
export function startOkxVenue(options: StreamingVenueOptions): Promise<Venue> {
  return startStreamingVenue(
    {
      subscriptions(text) {
        if (text === 'ping') return undefined
        const { op, args } = JSON.parse(text) as Request
        return args.map(({ channel, instId }) => ({
          op,
          channel: channel === 'books' ? 'book' : 'trades',
          symbol: instId,
        }))
      },
      reply: (text) => (text === 'ping' ? 'pong' : undefined),
      snapshot: (symbol, market) => {
        const { lastId, bids, asks } = market.book()
        const timeMs = market.changes.at(-1)?.timeMs ?? Date.now()
        return bookMessage(symbol, { action: 'snapshot', bids, asks, timeMs, seqId: lastId, prevSeqId: -1 })
      },
      change: (symbol, { bids, asks, timeMs, firstId, lastId }: EmulatedChange) =>
        bookMessage(symbol, { action: 'update', bids, asks, timeMs, seqId: lastId, prevSeqId: firstId - 1 }),
      trade: (symbol, trade) =>
        JSON.stringify({
          arg: { channel: 'trades', instId: symbol },
          data: [{ ...tradeOf(symbol, trade), count: '1' }],
        }),
      oldTrades(url, markets) {
        const symbol = url.searchParams.get('instId') ?? ''
        const market = markets.get(symbol)
        if (market === undefined)
          return { status: 200, body: '{"code":"51001","msg":"Instrument ID does not exist","data":[]}' }
        const after = Number(url.searchParams.get('after') ?? Number.MAX_SAFE_INTEGER)
        const found = market.trades.filter(({ id }) => id < after).slice(-Number(url.searchParams.get('limit') ?? 100))
        return {
          status: 200,
          body: JSON.stringify({ code: '0', msg: '', data: found.toReversed().map((trade) => tradeOf(symbol, trade)) }),
        }
      },
    },
    options,
  )
}

type TradesMessage = { arg: object; data: { sz: string }[] }

/** The one message in which OKX sends the fills of one taker at one price, given their messages in the order of their ids. */
export function okxAggregate(fills: readonly string[]): string {
  const messages = fills.map((fill) => JSON.parse(fill) as TradesMessage)
  const last = messages.at(-1)
  const sizes = messages.flatMap(({ data }) => data.map(({ sz }) => Number(sz)))
  const sz = sizes.reduce((sum, size) => sum + size, 0).toFixed(8)
  return JSON.stringify({ ...last, data: last?.data.map((fill) => ({ ...fill, sz, count: String(fills.length) })) })
}

type Book = {
  action: 'snapshot' | 'update'
  bids: EmulatedLevel[]
  asks: EmulatedLevel[]
  timeMs: number
  seqId: number
  prevSeqId: number
}

function bookMessage(instId: string, { action, bids, asks, timeMs, seqId, prevSeqId }: Book): string {
  const rows = (levels: EmulatedLevel[]) => levels.map(([price, size]) => [price, size, '0', '1'])
  const data = [{ asks: rows(asks), bids: rows(bids), ts: String(timeMs), checksum: 0, seqId, prevSeqId }]
  return JSON.stringify({ arg: { channel: 'books', instId }, action, data })
}

function tradeOf(instId: string, { id, timeMs, price, size, isBuyerMaker }: EmulatedTrade) {
  return { instId, tradeId: String(id), px: price, sz: size, side: isBuyerMaker ? 'sell' : 'buy', ts: String(timeMs) }
}
