import type { EmulatedTrade } from './emulated-market.ts'
import { startStreamingVenue, type StreamingVenueOptions } from './streaming-venue.ts'
import type { Venue } from './venue.ts'

/** The Exchange feed of Coinbase: books without sequence, matches with the maker's side. */
export function startCoinbaseVenue(options: StreamingVenueOptions): Promise<Venue> {
  return startStreamingVenue(
    {
      subscriptions(text) {
        const { type, product_ids: products, channels } = JSON.parse(text) as Request
        return products.flatMap((symbol) => [
          ...(channels.includes('level2_batch') ? [{ op: type, channel: 'book' as const, symbol }] : []),
          ...(channels.includes('matches') ? [{ op: type, channel: 'trades' as const, symbol }] : []),
        ])
      },
      reply: () => undefined,
      snapshot: (symbol, market) => {
        const { bids, asks } = market.book()
        return JSON.stringify({ type: 'snapshot', product_id: symbol, bids, asks })
      },
      change: (symbol, { bids, asks, timeMs }) => {
        const changes = [...bids.map((level) => ['buy', ...level]), ...asks.map((level) => ['sell', ...level])]
        return JSON.stringify({ type: 'l2update', product_id: symbol, changes, time: timeOf(timeMs) })
      },
      trade: (symbol, trade) => JSON.stringify({ type: 'match', product_id: symbol, sequence: 1, ...matchOf(trade) }),
      oldTrades(url, markets) {
        const market = markets.get(url.pathname.split('/')[2] ?? '')
        if (market === undefined) return { status: 404, body: '{"message":"NotFound"}' }
        const after = Number(url.searchParams.get('after') ?? Number.MAX_SAFE_INTEGER)
        const limit = Number(url.searchParams.get('limit') ?? 1_000)
        const found = market.trades.filter(({ id }) => id < after).slice(-limit)
        return { status: 200, body: JSON.stringify(found.toReversed().map(matchOf)) }
      },
    },
    options,
  )
}

type Request = { type: 'subscribe' | 'unsubscribe'; product_ids: string[]; channels: string[] }

function timeOf(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('Z', '123Z')
}

function matchOf({ id, timeMs, price, size, isBuyerMaker }: EmulatedTrade) {
  return { trade_id: id, side: isBuyerMaker ? 'buy' : 'sell', size, price, time: timeOf(timeMs) }
}
