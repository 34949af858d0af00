import type { VenueIngested } from '../../src/store/store-ingested.ts'

type IngestedEvent = VenueIngested['l2_events'][number]
type Levels = [price: string, size: string][]

const NOTHING = {
  venue_first_id: null,
  venue_last_id: null,
  venue_prev_id: null,
  flags: 0,
  depth_limit: null,
  gap: null,
}

/**
 * Events of a book with the numbers `from` (inclusive) to `to` (exclusive): a snapshot of 60 levels per side first, then
 * updates near the best price, two in a millisecond. Some change nothing, one of ten comes with its time of 3 ms before.
 */
export function someBook(symbol: string, startNs: bigint, from: number, to: number): VenueIngested {
  const l2_events = Array.from({ length: to - from }, (_value, index) => bookEvent(startNs, from + index))
  return { venue: 'sim', symbol, trades: [], l2_events }
}

function bookEvent(startNs: bigint, number: number): IngestedEvent {
  const early = number % 10 === 7 ? 3_000_000n : 0n
  const time = String(startNs + BigInt(Math.floor(number / 2)) * 1_000_000n - early)
  const event = { source_id: `e${number}`, ts_event: time, ts_recv: time }
  if (number > 0) return { ...event, ...NOTHING, type: 'update', ...changesOf(number) }
  const levels = (direction: number): Levels =>
    Array.from({ length: 60 }, (_value, index) => [String(1_000 + direction * (index + 1)), String(index + 1)])
  return { ...event, ...NOTHING, type: 'snapshot', bids: levels(-1), asks: levels(1) }
}

function changesOf(number: number): { bids: Levels; asks: Levels } {
  const price = (direction: number, factor: number) => String(1_000 + direction * (1 + ((number * factor) % 14)))
  const size = number % 3 === 0 ? '0' : `${1 + (number % 5)}.5`
  if (number % 4 === 0) return { bids: [], asks: [[price(1, 3), size]] }
  // Far from the best price: visible in the whole book only.
  if (number % 4 === 1) return { bids: [['900', String(number)]], asks: [] }
  const bids: Levels = [[price(-1, 5), size]]
  // The best one of every fourth event.
  if (number % 4 === 2) bids.push(['999.5', String(number)])
  return { bids, asks: number % 4 === 3 ? [[price(1, 7), '2']] : [] }
}

/** A gap, and later the snapshot that ends it. */
export function someGap(symbol: string, atNs: bigint): VenueIngested {
  const at = (ms: bigint, id: string) => {
    const time = String(atNs + ms * 1_000_000n)
    return { source_id: id, ts_event: time, ts_recv: time, ...NOTHING }
  }
  const gap = { reason: 'update_ids_missing', from_ts: String(atNs) }
  const l2_events: IngestedEvent[] = [
    { ...at(5n, 'gap'), type: 'gap', bids: [], asks: [], gap },
    { ...at(9n, 'after the gap'), type: 'snapshot', bids: [['990', '1']], asks: [['1010', '1']] },
    { ...at(10n, 'next'), type: 'update', bids: [['991', '2']], asks: [] },
  ]
  return { venue: 'sim', symbol, trades: [], l2_events }
}
