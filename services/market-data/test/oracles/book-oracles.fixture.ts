import type { L2Event, Trade } from '@tapeline/contracts/market-data/http'
import { canonicalDecimal, compareDecimals } from '../../src/decimal.ts'
import type { Level } from '../../src/store/record.ts'
import { krakenChecksum } from '../../src/venues/kraken/kraken-book.ts'
import { createPriceLevels, isCrossed, type PriceLevels } from '../../src/venues/price-levels.ts'

type Book = { bids: PriceLevels; asks: PriceLevels }

/** The book after each event, and how many removals were of a price that it did not have. */
export function replayBook(events: readonly L2Event[], onEvent: (event: L2Event, book: Book) => void) {
  const book: Book = { bids: createPriceLevels('bids'), asks: createPriceLevels('asks') }
  const counts = { crossed: 0, absentRemovals: 0 }
  for (const event of events) {
    for (const side of ['bids', 'asks'] as const) {
      if (event.type !== 'update') book[side].clear()
      for (const level of event[side]) {
        const before = book[side].size()
        book[side].apply([level])
        if (level[1] === '0' && book[side].size() === before) counts.absentRemovals += 1
      }
    }
    if (event.type === 'update' && isCrossed(book.bids, book.asks)) counts.crossed += 1
    onEvent(event, book)
  }
  return counts
}

/** Best bid, its size, best ask, its size by update id, from the frames of `bookTicker`. */
export function quotesByUpdate(lines: readonly string[]): Map<string, string> {
  const quotes = new Map<string, string>()
  for (const line of lines) {
    if (!line.includes('@bookTicker')) continue
    const { data } = JSON.parse(line.slice(line.indexOf('{'))) as { data: Record<'u' | 'b' | 'B' | 'a' | 'A', string> }
    quotes.set(String(data.u), [data.b, data.B, data.a, data.A].map(canonicalDecimal).join(' '))
  }
  return quotes
}

/** The number of updates with a quote of the venue, and those that disagree with it. */
export function compareQuotes(events: readonly L2Event[], quotes: ReadonlyMap<string, string>) {
  const result = { compared: 0, different: [] as string[] }
  const counts = replayBook(events, (event, { bids, asks }) => {
    const quote = event.type === 'update' ? quotes.get(event.venue_last_id ?? '') : undefined
    if (quote === undefined) return
    result.compared += 1
    const own = [bids.best(), asks.best()].flat().join(' ')
    if (own !== quote) result.different.push(`${event.venue_last_id}: ${own} instead of ${quote}`)
  })
  return { ...result, ...counts }
}

export type Sum = { crc: number; priceDigits: number; sizeDigits: number }
const NONE = { seconds: '', fraction: '', frame: '', pair: '', price: '', size: '' }
const KRAKEN_LINE = /^(?<seconds>\d+)\.(?<fraction>\d+): (?<frame>\[.*"book-1000","(?<pair>[A-Z/]+)"\])$/
const KRAKEN_LEVEL = /\["\d+\.(?<price>\d+)","\d+\.(?<size>\d+)"/

/** The checksum of each Kraken update by symbol and receive time, with the digits that the venue writes. */
export function krakenSums(lines: readonly string[]): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const line of lines) {
    const { seconds, fraction, frame, pair } = { ...NONE, ...KRAKEN_LINE.exec(line)?.groups }
    const crc = /"c":"(\d+)"/.exec(frame)?.[1]
    const { price, size } = { ...NONE, ...KRAKEN_LEVEL.exec(frame)?.groups }
    if (crc === undefined) continue
    const symbol = pair.replace('/', '-').replace('XBT', 'BTC')
    const sum = { crc: Number(crc), priceDigits: price.length, sizeDigits: size.length }
    sums.set(`${symbol} ${seconds}${fraction.padEnd(9, '0')}`, sum)
  }
  return sums
}

/** The number of updates with the venue's checksum. */
export function matchingSums(events: readonly L2Event[], sums: ReadonlyMap<string, Sum>): number {
  let matching = 0
  replayBook(events, ({ type, symbol, ts_recv }, { bids, asks }) => {
    const sum = sums.get(`${symbol} ${ts_recv}`)
    if (type === 'update' && sum !== undefined && checksumOf(bids, asks, sum) === sum.crc) matching += 1
  })
  return matching
}

function checksumOf(bids: PriceLevels, asks: PriceLevels, { priceDigits, sizeDigits }: Sum): number {
  const padded = ([price, size]: Level): Level => [pad(price, priceDigits), pad(size, sizeDigits)]
  const sides: Book = { bids: createPriceLevels('bids'), asks: createPriceLevels('asks') }
  sides.bids.apply(bids.top(10).map(padded))
  sides.asks.apply(asks.top(10).map(padded))
  return krakenChecksum(sides.asks, sides.bids)
}

function pad(decimal: string, digits: number): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  return `${whole}.${fraction.padEnd(digits, '0')}`
}

/** Positions of trades in the book at their receipt; the maker is on the opposite side of the taker. */
export function placesOfTrades(events: readonly L2Event[], trades: readonly Trade[]) {
  const places = { buyAtBid: 0, sellAtAsk: 0, inside: 0, contradicting: 0 }
  const waiting = trades.toSorted((one, other) => (one.ts_recv < other.ts_recv ? -1 : 1))
  const take = (until: string, book: { bid: string | undefined; ask: string | undefined }) => {
    while (waiting[0] !== undefined && waiting[0].ts_recv < until) {
      const [trade] = waiting.splice(0, 1)
      if (trade !== undefined) places[placeOf(trade, book)] += 1
    }
  }
  let book: { bid: string | undefined; ask: string | undefined } = { bid: undefined, ask: undefined }
  replayBook(events, ({ ts_recv }, { bids, asks }) => {
    take(ts_recv, book)
    book = { bid: bids.best()?.[0], ask: asks.best()?.[0] }
  })
  take('9', book)
  return places
}

function placeOf({ side, price }: Trade, { bid, ask }: { bid: string | undefined; ask: string | undefined }) {
  const isAtBid = bid !== undefined && compareDecimals(price, bid) <= 0
  const isAtAsk = ask !== undefined && compareDecimals(price, ask) >= 0
  const maker = side === 'sell' ? 'buy' : 'sell'
  if (maker === 'buy' ? isAtBid : isAtAsk) return maker === 'buy' ? 'buyAtBid' : 'sellAtAsk'
  return (maker === 'buy' ? isAtAsk : isAtBid) ? 'contradicting' : 'inside'
}

type Message = { isSnapshot: boolean; asks: Level[]; bids: Level[]; checksum?: number }

const KRAKEN_DEPTH = 1_000

/**
 * A Kraken book whose worst ask is pushed out by a new best one, without a removal; then all but the best asks are
 * removed, so that the checksum is wrong if the one that was pushed out is still there.
 */
export function truncatedBook(): { messages: Message[]; levelsLeft: number } {
  const levelsLeft = 5
  const ask = (n: number): Level => [`${2_000 + n}.00`, '1.50']
  const asks = Array.from({ length: KRAKEN_DEPTH }, (_value, n) => ask(n + 1))
  const bids: Level[] = Array.from({ length: levelsLeft }, (_value, n) => [`${1_000 - n}.00`, '2.50'])
  const best = ask(0)
  const remaining = [best, ...asks.slice(0, levelsLeft - 1)]
  const removed = asks.slice(levelsLeft - 1, -1).map(([price]): Level => [price, '0.00'])
  const sides: Book = { bids: createPriceLevels('bids'), asks: createPriceLevels('asks') }
  sides.bids.apply(bids)
  sides.asks.apply(remaining)
  const messages = [
    { isSnapshot: true, asks, bids },
    { isSnapshot: false, asks: [best], bids: [] },
    { isSnapshot: false, asks: removed, bids: [], checksum: krakenChecksum(sides.asks, sides.bids) },
  ]
  return { messages, levelsLeft }
}

/** As a recording of the API v1 has it. */
export function krakenLine({ isSnapshot, asks, bids, checksum }: Message, index: number): string {
  const rows = (levels: readonly Level[]) => levels.map((level) => [...level, `161867813${index}.365910`])
  const part = isSnapshot ? { as: rows(asks), bs: rows(bids) } : { a: rows(asks), c: String(checksum) }
  if (checksum === undefined && !isSnapshot) delete (part as { c?: string }).c
  return `161867813${index}.385815: ${JSON.stringify([464, part, 'book-1000', 'SC/EUR'])}`
}
