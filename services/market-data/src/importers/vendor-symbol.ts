import type { InstrumentSpec } from '../instruments/instrument.ts'
import { binanceInstrument } from '../venues/binance/binance-symbol.ts'

const BINANCE_MARKETS = { binance: 'spot', 'binance-futures': 'usdm', 'binance-delivery': 'coinm' } as const
const VENUES: Readonly<Record<string, string>> = { okex: 'okx', 'okex-swap': 'okx', 'okex-futures': 'okx' }
const ASSETS: Readonly<Record<string, string>> = { XBT: 'BTC', XDG: 'DOGE' }
const ASSET = '[A-Z0-9]{1,20}'
/** A quote is never a number or a date, as in Deribit's `BTC-27SEP24`. */
const QUOTE = '[A-Z][A-Z0-9]{0,19}'
/**
 * Exchanges that write BASE-QUOTE. Others reverse it (Upbit's `KRW-BTC`) or name futures like spot (Huobi's `BTC_CW`,
 * Crypto Facilities' `PI_XBTUSD`, dYdX's `BTC-USD`).
 */
const BASE_FIRST =
  /^(?:coinbase|kraken|gemini|okx|okex(?:-swap|-futures)?|okcoin|kucoin|gate-io|deribit|bitflyer|blockchain-com|ascendex|ftx(?:-us)?)$/
const SEPARATED = new RegExp(`^(${ASSET})[-/_](${QUOTE})(?:[-_](SWAP|PERP|PERPETUAL|\\d{6}))?$`)
/** Deribit's inverse perpetuals, whose symbols omit the quote USD. */
const INVERSE_PERPETUAL = new RegExp(`^(${ASSET})-PERPETUAL$`)

/** The instrument of a symbol as an exchange writes it; undefined when it cannot be split. */
export function vendorInstrument(exchange: string, venueSymbol: string): InstrumentSpec | undefined {
  const market = Object.entries(BINANCE_MARKETS).find(([name]) => name === exchange)?.[1]
  if (market !== undefined) return binanceInstrument(venueSymbol.toUpperCase(), market)
  return BASE_FIRST.test(exchange) ? separatedInstrument(exchange, venueSymbol) : undefined
}

function separatedInstrument(exchange: string, venueSymbol: string): InstrumentSpec | undefined {
  const symbol = venueSymbol.toUpperCase()
  const venue = VENUES[exchange] ?? exchange
  const perpetual = exchange === 'deribit' ? INVERSE_PERPETUAL.exec(symbol)?.[1] : undefined
  if (perpetual !== undefined) return specOf({ venue, venueSymbol, base: perpetual, quote: 'USD', ending: 'PERP' })
  const [, base, quote, ending] = SEPARATED.exec(symbol) ?? []
  return base === undefined || quote === undefined ? undefined : specOf({ venue, venueSymbol, base, quote, ending })
}

type Parts = { venue: string; venueSymbol: string; base: string; quote: string; ending: string | undefined }

function specOf({ venue, venueSymbol, ending, ...parts }: Parts): InstrumentSpec {
  const [base, quote] = [ASSETS[parts.base] ?? parts.base, ASSETS[parts.quote] ?? parts.quote]
  const common = { venue, venueSymbol, base, quote, tsEventPrecision: 'us' } as const
  if (ending === undefined) return { ...common, symbol: `${base}-${quote}`, sizeUnit: 'base', kind: 'spot' }
  if (/^\d/.test(ending)) {
    return { ...common, symbol: `${base}-${quote}-20${ending}`, sizeUnit: 'contract', kind: 'dated' }
  }
  return { ...common, symbol: `${base}-${quote}-PERP`, sizeUnit: 'contract', kind: 'perpetual' }
}
