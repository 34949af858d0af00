import type { InstrumentSpec } from '../instruments/instrument.ts'
import { binanceInstrument } from '../venues/binance/binance-symbol.ts'

const BINANCE_MARKETS = { binance: 'spot', 'binance-futures': 'usdm', 'binance-delivery': 'coinm' } as const
const VENUES: Readonly<Record<string, string>> = { okex: 'okx', 'okex-swap': 'okx', 'okex-futures': 'okx' }
const ASSETS: Readonly<Record<string, string>> = { XBT: 'BTC', XDG: 'DOGE' }
const ASSET = '[A-Z0-9]{1,20}'
const SEPARATED = new RegExp(`^(${ASSET})[-/_](${ASSET})(?:[-_](SWAP|PERP|PERPETUAL|\\d{6}))?$`)
const PERPETUAL = new RegExp(`^(${ASSET})-(?:PERPETUAL|PERP)$`)

/** The instrument of a symbol as an exchange writes it; undefined when it cannot be split. */
export function vendorInstrument(exchange: string, venueSymbol: string): InstrumentSpec | undefined {
  const market = Object.entries(BINANCE_MARKETS).find(([name]) => name === exchange)?.[1]
  if (market !== undefined) return binanceInstrument(venueSymbol.toUpperCase(), market)
  const symbol = venueSymbol.toUpperCase()
  const venue = VENUES[exchange] ?? exchange
  const perpetual = PERPETUAL.exec(symbol)?.[1]
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
