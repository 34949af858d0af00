import type { InstrumentSpec } from '../../instruments/instrument.ts'
import type { BinanceMarket } from './binance-frames.ts'

/** Longest first, so that FDUSD is not read as USD, nor AEUR as EUR. */
const QUOTES = [
  'FDUSD',
  'USDT',
  'USDC',
  'TUSD',
  'BUSD',
  'AEUR',
  'EUR',
  'TRY',
  'BRL',
  'GBP',
  'JPY',
  'BTC',
  'ETH',
  'BNB',
  'USD',
]
/** COIN-M has no other quote than USD: the base of BNBUSD is BNB, not BN. */
const QUOTES_OF_MARKET = { spot: QUOTES, usdm: QUOTES, coinm: ['USD'] }
const SYMBOL = /^([A-Z0-9]+?)(?:_(PERP|\d{6}))?$/
/** Dated futures end at 08:00 UTC of their day. */
const EXPIRY_TIME = 'T08:00:00.000Z'

/** `BTCUSDT` → BTC-USDT, BTC-USDT-PERP of USD-M; undefined when the symbol is not one of that market. */
export function binanceInstrument(venueSymbol: string, market: BinanceMarket): InstrumentSpec | undefined {
  const [, pair = '', delivery] = SYMBOL.exec(venueSymbol) ?? []
  const quote = QUOTES_OF_MARKET[market].find((end) => pair.endsWith(end) && pair.length > end.length)
  if (quote === undefined || !isOfMarket(market, quote, delivery)) return undefined
  const base = pair.slice(0, -quote.length)
  const common = { venue: 'binance', venueSymbol, base, quote, tsEventPrecision: 'ms' } as const
  const pairName = `${base}-${quote}`
  if (market === 'spot') return { ...common, symbol: pairName, sizeUnit: 'base', kind: 'spot' }
  const size =
    market === 'coinm' ? { sizeUnit: 'contract', multiplier: base === 'BTC' ? '100' : '10' } : { sizeUnit: 'base' }
  if (delivery === undefined || delivery === 'PERP') {
    return { ...common, ...size, symbol: `${pairName}-PERP`, kind: 'perpetual' }
  }
  const day = `20${delivery}`
  return { ...common, ...size, symbol: `${pairName}-${day}`, kind: 'dated', validTo: expiryOf(day) }
}

const CANONICAL = /^([A-Z0-9]{1,20})-([A-Z0-9]{1,20})(?:-(PERP|20\d{6}))?$/

/** BTC-USDT → `BTCUSDT`, BTC-USD-PERP of COIN-M → `BTCUSD_PERP`; undefined when it is not of that market. */
export function binanceVenueSymbol(symbol: string, market: BinanceMarket): string | undefined {
  const [, base, quote, ending] = CANONICAL.exec(symbol) ?? []
  if (base === undefined || quote === undefined || (ending === undefined) !== (market === 'spot')) return undefined
  const venueSymbol = base + quote + deliveryOf(ending, market)
  return binanceInstrument(venueSymbol, market)?.symbol === symbol ? venueSymbol : undefined
}

function deliveryOf(ending: string | undefined, market: BinanceMarket): string {
  if (ending === undefined) return ''
  if (ending === 'PERP') return market === 'usdm' ? '' : '_PERP'
  return `_${ending.slice(2)}`
}

function isOfMarket(market: BinanceMarket, quote: string, delivery: string | undefined): boolean {
  if (market === 'coinm') return quote === 'USD' && delivery !== undefined
  if (market === 'usdm') return delivery !== 'PERP' && quote !== 'USD'
  return delivery === undefined
}

function expiryOf(day: string): Date {
  return new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}${EXPIRY_TIME}`)
}
