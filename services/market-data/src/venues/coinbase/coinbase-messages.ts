import { positiveOf } from '../../importers/csv.ts'
import { parseTime } from '../../nanoseconds.ts'
import { FLAGS, type TradeRecord } from '../../store/record.ts'
import { field, integerField, rowsOf, textField } from '../json.ts'

/** Rows of price and size per side. */
export type CoinbaseSides = { bids: string[][]; asks: string[][] }
export type EventTime = { tsEvent: string; flags: number }

export function changesOf(message: unknown): CoinbaseSides {
  const changes = rowsOf(message, 'changes')
  const levels = (side: string): string[][] => changes.filter(([of]) => of === side).map(([, ...level]) => level)
  const [bids, asks] = [levels('buy'), levels('sell')]
  if (bids.length + asks.length !== changes.length) throw new Error('a change is neither buy nor sell')
  return { bids, asks }
}

/** A match of the feed or an element of the REST list: `side` is the maker's. */
export function matchOf(message: unknown, { tsEvent, tsRecv, flags }: EventTime & { tsRecv: string }): TradeRecord {
  const side = textField(message, 'side')
  if (side !== 'buy' && side !== 'sell') throw new Error(`side is neither buy nor sell: ${side}`)
  return {
    sourceId: String(integerField(message, 'trade_id')),
    hasTradeId: true,
    tsEvent,
    tsRecv,
    price: positiveOf('price', textField(message, 'price')),
    size: positiveOf('size', textField(message, 'size')),
    side: side === 'buy' ? 'sell' : 'buy',
    sideSource: 'maker_inverted',
    flags,
    conditions: [],
  }
}

/** Times per product. The feed sometimes sends the year 1: the last valid time is used instead, flagged. */
export function createCoinbaseTimes(): (product: string, message: unknown, tsRecv: string) => EventTime {
  const lastTimes = new Map<string, string>()
  return (product, message, tsRecv) => {
    const text = field(message, 'time')
    const time = typeof text === 'string' ? parseTime(text) : undefined
    if (time === undefined) return { tsEvent: lastTimes.get(product) ?? tsRecv, flags: FLAGS.bad_ts_event }
    const tsEvent = String(time)
    lastTimes.set(product, tsEvent)
    return { tsEvent, flags: 0 }
  }
}
