import { vendorInstrument } from '../../importers/vendor-symbol.ts'
import { FLAGS } from '../../store/record.ts'
import { changesOf, createCoinbaseTimes, matchOf } from '../../venues/coinbase/coinbase-messages.ts'
import { field, parseJson, rowsOf, textField } from '../../venues/json.ts'
import { levelsOf } from '../../venues/venue-levels.ts'
import { isSpotSymbol, STREAMED_WITHOUT_IDS } from './book-rules.ts'
import type { Feed, FeedMessage, FeedTrade, MissingIds, Received } from './feed.ts'

const TRADES_PAGE_MAX = 1_000
const NO_IDS = { firstId: 0, lastId: 0 }

/**
 * The Exchange feed: `level2_batch` and `matches`, and `heartbeat`, so that a connection with quiet markets still
 * receives messages.
 */
export function createCoinbaseFeed(): Feed {
  const timeOf = createCoinbaseTimes()

  function read(frame: string, { tsRecv, flags }: Received): FeedMessage[] {
    const message = parseJson(frame)
    const type = field(message, 'type')
    if (type === 'error') return [{ kind: 'error', message: frame }]
    if (type !== 'snapshot' && type !== 'l2update' && type !== 'match' && type !== 'last_match') return []
    const venueSymbol = textField(message, 'product_id')
    if (type === 'snapshot') {
      const [bids, asks] = [levelsOf(rowsOf(message, 'bids'), 'bids'), levelsOf(rowsOf(message, 'asks'), 'asks')]
      const snapshot = { lastUpdateId: 0, tsEvent: tsRecv, tsRecv, bids, asks, depthLimit: null }
      return [{ kind: 'snapshot', venueSymbol, snapshot }]
    }
    const at = timeOf(venueSymbol, message, tsRecv)
    if (type === 'l2update') {
      const { bids, asks } = changesOf(message)
      const levels = { bids: levelsOf(bids, 'bids'), asks: levelsOf(asks, 'asks') }
      return [{ kind: 'update', venueSymbol, update: { ...NO_IDS, ...levels, ...at, tsRecv } }]
    }
    return [{ kind: 'trades', venueSymbol, trades: [tradeOf(message, { ...at, tsRecv, flags: flags | at.flags })] }]
  }

  return {
    name: 'coinbase',
    addresses: { socket: 'wss://ws-feed.exchange.coinbase.com', rest: 'https://api.exchange.coinbase.com' },
    // REST: 10 requests per second and address.
    limits: { weightPerMinute: 600, connectionsPerFiveMinutes: 300, messagesPerSecond: 8 },
    bookRule: STREAMED_WITHOUT_IDS,
    instrumentOf: (symbol) => (isSpotSymbol(symbol) ? vendorInstrument('coinbase', symbol) : undefined),
    socketPath: () => '/',
    subscribe: (symbols) => [request('subscribe', symbols, ['level2_batch', 'matches', 'heartbeat'])],
    resubscribe: (symbol) => [
      request('unsubscribe', [symbol], ['level2_batch']),
      request('subscribe', [symbol], ['level2_batch']),
    ],
    read,
    missedTrades: {
      pageMax: TRADES_PAGE_MAX,
      request: missedTrades,
      read(body, { tsRecv, flags }) {
        const list = parseJson(body)
        if (!Array.isArray(list)) throw new Error('is not a list of trades')
        return list.map((entry: unknown) => {
          const at = timeOf('', entry, tsRecv)
          return tradeOf(entry, { ...at, tsRecv, flags: flags | at.flags | FLAGS.late })
        })
      },
    },
  }
}

function tradeOf(message: unknown, at: Parameters<typeof matchOf>[1]): FeedTrade {
  const trade = matchOf(message, at)
  return { id: Number(trade.sourceId), trade }
}

function request(type: 'subscribe' | 'unsubscribe', products: readonly string[], channels: string[]): string {
  return JSON.stringify({ type, product_ids: products, channels })
}

/** `after` is exclusive and pages go back in time. */
function missedTrades(symbol: string, { from, to }: MissingIds) {
  const after = Math.min(to + 1, from + TRADES_PAGE_MAX)
  return { path: `/products/${symbol}/trades?limit=${TRADES_PAGE_MAX}&after=${after}`, weight: 1 }
}
