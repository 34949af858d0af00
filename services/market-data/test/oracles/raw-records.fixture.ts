import type { L2Event } from '@tapeline/contracts/market-data/http'
import { canonicalDecimal } from '../../src/decimal.ts'

type Levels = [price: string, size: string][]

/** Updates whose levels are not those of the Binance frame with their update id. */
export function differentLevels(updates: readonly L2Event[], lines: readonly string[]): L2Event[] {
  const sent = new Map<string, { b: Levels; a: Levels }>()
  for (const line of lines.filter((one) => one.includes('depthUpdate'))) {
    const { data } = JSON.parse(line.slice(line.indexOf('{')))
    sent.set(String(data.u), data)
  }
  const textOf = (levels: Levels = []) =>
    levels
      .map((level) => level.map(canonicalDecimal).join(' '))
      .toSorted()
      .join()
  return updates.filter(({ venue_last_id, bids, asks }) => {
    const frame = sent.get(venue_last_id ?? '')
    return textOf(frame?.b) !== textOf(bids) || textOf(frame?.a) !== textOf(asks)
  })
}

const LEAN_SCALE = 10_000

/** LEAN rows that disagree with the event at the same position: each row states one side, the other one is 0. */
export function differentQuotes(events: readonly L2Event[], rows: readonly string[]): string[] {
  const states = (levels: Levels, price: string, size: string) =>
    price === '0' || ((Number(levels[0]?.[0]) * LEAN_SCALE).toFixed(0) === price && levels[0]?.[1] === size)
  return rows.filter((row, index) => {
    const [, bid = '', bidSize = '', ask = '', askSize = ''] = row.split(',')
    const { bids = [], asks = [] } = events[index] ?? {}
    return !states(bids, bid, bidSize) || !states(asks, ask, askSize)
  })
}
