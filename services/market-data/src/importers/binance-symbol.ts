import type { InstrumentSpec } from '../instruments/instrument.ts'

/** Longest first, so that FDUSD is not read as USD. */
const QUOTES = ['FDUSD', 'USDT', 'USDC', 'TUSD', 'BUSD', 'EUR', 'TRY', 'BRL', 'GBP', 'JPY', 'BTC', 'ETH', 'BNB', 'USD']

/** `BTCUSDT` → BTC-USDT on `binance`; undefined when the quote is not known. */
export function binanceInstrument(venueSymbol: string): InstrumentSpec | undefined {
  const quote = QUOTES.find((end) => venueSymbol.endsWith(end) && venueSymbol.length > end.length)
  if (quote === undefined) return undefined
  const base = venueSymbol.slice(0, -quote.length)
  const symbol = `${base}-${quote}`
  return { venue: 'binance', symbol, venueSymbol, base, quote, sizeUnit: 'base', tsEventPrecision: 'ms' }
}
