import { crc32 } from 'node:zlib'
import type { EmulatedLevel, EmulatedMarket, EmulatedTrade } from './emulated-market.ts'
import { startStreamingVenue, type StreamingVenueOptions, type Subscription } from './streaming-venue.ts'
import type { Venue } from './venue.ts'

const PRICE_DECIMALS = 2
const CHECKED_LEVELS = 10

/** Kraken's WebSocket API v2 at depth 1000: numbers without quotes, a CRC-32 in every book message. */
export function startKrakenVenue(options: StreamingVenueOptions): Promise<Venue> {
  return startStreamingVenue(
    {
      subscriptions,
      reply: (text) => (text.includes('"ping"') ? '{"method":"pong"}' : undefined),
      snapshot: (symbol, market) => bookMessage('snapshot', { symbol, ...market.book(), market }),
      change: (symbol, { bids, asks, timeMs }, market) => bookMessage('update', { symbol, bids, asks, market, timeMs }),
      trade: (symbol, trade) => `{"channel":"trade","type":"update","data":[${tradeText(symbol, trade)}]}`,
      oldTrades(url, markets) {
        const pair = url.searchParams.get('pair') ?? ''
        const [, market] = [...markets].find(([symbol]) => symbol.replace('BTC', 'XBT').replace('/', '') === pair) ?? []
        if (market === undefined) return { status: 200, body: '{"error":["EQuery:Unknown asset pair"]}' }
        const since = BigInt(url.searchParams.get('since') ?? '0') / 1_000_000n
        const found = market.trades.filter(({ timeMs }) => BigInt(timeMs) >= since).slice(0, 1_000)
        return {
          status: 200,
          body: `{"error":[],"result":{"XXBTZUSD":[${found.map(restTrade).join(',')}],"last":"0"}}`,
        }
      },
    },
    options,
  )
}

function subscriptions(text: string): Subscription[] | undefined {
  const { method, params } = JSON.parse(text) as { method: string; params?: { channel: string; symbol: string[] } }
  if ((method !== 'subscribe' && method !== 'unsubscribe') || params === undefined) return undefined
  const channel = params.channel === 'book' ? 'book' : 'trades'
  return params.symbol.map((symbol) => ({ op: method, channel, symbol }))
}

type Book = {
  symbol: string
  bids: EmulatedLevel[]
  asks: EmulatedLevel[]
  market: EmulatedMarket
  timeMs?: number
}

function bookMessage(type: 'snapshot' | 'update', { symbol, bids, asks, market, timeMs }: Book): string {
  const time = timeMs === undefined ? '' : `,"timestamp":"${new Date(timeMs).toISOString().replace('Z', '000Z')}"`
  const sides = `"bids":[${bids.map(levelText).join(',')}],"asks":[${asks.map(levelText).join(',')}]`
  const data = `{"symbol":"${symbol}",${sides},"checksum":${checksum(market)}${time}}`
  return `{"channel":"book","type":"${type}","data":[${data}]}`
}

function levelText([price, size]: EmulatedLevel): string {
  return `{"price":${priceText(price)},"qty":${size}}`
}

function priceText(price: string): string {
  return Number(price).toFixed(PRICE_DECIMALS)
}

function checksum(market: EmulatedMarket): number {
  const { bids, asks } = market.book()
  const digits = [...asks.slice(0, CHECKED_LEVELS), ...bids.slice(0, CHECKED_LEVELS)].flatMap(([price, size]) => [
    String(BigInt(priceText(price).replace('.', ''))),
    String(BigInt(size.replace('.', ''))),
  ])
  return crc32(digits.join(''))
}

function tradeText(symbol: string, { id, timeMs, price, size, isBuyerMaker }: EmulatedTrade): string {
  const time = new Date(timeMs).toISOString().replace('Z', '000Z')
  return (
    `{"symbol":"${symbol}","side":"${isBuyerMaker ? 'sell' : 'buy'}","price":${priceText(price)},"qty":${size},` +
    `"ord_type":"market","trade_id":${id},"timestamp":"${time}"}`
  )
}

function restTrade({ id, timeMs, price, size, isBuyerMaker }: EmulatedTrade): string {
  const seconds = (timeMs / 1000).toFixed(7)
  return `["${priceText(price)}","${size}",${seconds},"${isBuyerMaker ? 's' : 'b'}","m","",${id}]`
}
