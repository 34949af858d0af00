import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { canonicalDecimal } from '../../decimal.ts'
import { FLAGS, type TradeRecord } from '../../store/record.ts'

/** The fields of a ccxt market and trade that this connector uses; with `number: String` decimals are text. */
export type CcxtMarket = {
  id: string
  symbol: string
  base: string
  quote: string
  type: string
  expiry?: number | undefined
}
export type CcxtTrade = {
  id?: string | undefined
  timestamp?: number | undefined
  side?: string | undefined
  price?: string | undefined
  amount?: string | undefined
}

const KINDS: Readonly<Record<string, InstrumentSpec['kind']>> = { spot: 'spot', swap: 'perpetual', future: 'dated' }

/** BTC-USDT for a spot market, BTC-USDT-PERP for a swap, BTC-USD-20261225 for a future; undefined for other markets. */
export function instrumentOfMarket(venue: string, market: CcxtMarket): InstrumentSpec | undefined {
  const { id, base, quote, type, expiry } = market
  const kind = KINDS[type]
  if (kind === undefined || (kind === 'dated' && expiry === undefined)) return undefined
  const day = expiry === undefined ? '' : new Date(expiry).toISOString().slice(0, 10).replaceAll('-', '')
  const ending = { spot: '', perpetual: '-PERP', dated: `-${day}` }[kind]
  const sizeUnit = kind === 'spot' ? 'base' : 'contract'
  return {
    venue,
    symbol: `${base}-${quote}${ending}`,
    venueSymbol: id,
    base,
    quote,
    sizeUnit,
    kind,
    tsEventPrecision: 'ms',
  }
}

/**
 * A trade as ccxt unifies it. ccxt does not say whether the side is the taker's, so it is flagged as estimated.
 * Undefined without an id, a price or a size: without an id a trade cannot be deduplicated.
 */
export function tradeOfCcxt(
  { id = '', timestamp, side, price = '', amount = '' }: CcxtTrade,
  tsRecv: string,
): TradeRecord | undefined {
  const [exactPrice, size] = [canonicalDecimal(price), canonicalDecimal(amount)]
  if (id === '' || exactPrice === undefined || size === undefined) return undefined
  return {
    sourceId: id,
    hasTradeId: true,
    tsEvent: timestamp === undefined ? tsRecv : `${timestamp}000000`,
    tsRecv,
    price: exactPrice,
    size,
    ...sideOf(side),
    flags: timestamp === undefined ? FLAGS.bad_ts_event : 0,
    conditions: [],
  }
}

function sideOf(side: string | undefined): Pick<TradeRecord, 'side' | 'sideSource'> {
  if (side === 'buy' || side === 'sell') return { side, sideSource: 'estimated' }
  return { side: 'unknown', sideSource: 'none' }
}
