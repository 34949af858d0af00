import type { BookChange } from '@tapeline/contracts/market-data/book'
import type { BookLevels, OrderBook } from '../../book/order-book.ts'
import type { SequencedEvent } from '../../book/sequencer.ts'
import type { RegisteredInstrument } from '../../instruments/instrument.ts'
import type { Row } from '../../records/record-queries.ts'
import type { FormatTime } from '../../records/render-record.ts'
import type { Level } from '../../store/record.ts'
import type { Position } from '../position.ts'

const DEPTH_ALL = Number.MAX_SAFE_INTEGER
const NO_GAP = ['', '', '']

/** Columns of a row; the first three are those of every row: instrument, and the place in the order. */
const AT = {
  tsEvent: 3,
  sequence: 4,
  tsRecv: 5,
  epoch: 6,
  type: 7,
  bids: 8,
  asks: 9,
  depthLimit: 10,
  gapReason: 11,
  gapFrom: 12,
  gapTo: 13,
}

type Levels = { bids: readonly Level[]; asks: readonly Level[] }
/** `last`: the last event in the book. */
type Change = { type: BookChange['type']; tsEvent: string; last: Last; levels: Levels }
type Last = { sequence: bigint; tsRecv: string; bookEpoch: number }

/**
 * Rows of the changes of a book within `depth` levels per side (undefined: all), from its current state on. Pass each
 * event after the book has applied it.
 */
export function observeChanges(
  book: OrderBook,
  { instrumentId, depth }: { instrumentId: number; depth: number | undefined },
): (sequenced: SequencedEvent) => Row | undefined {
  // A truncated book has no removal events either: they are derived as for a channel with a depth.
  const topOf = (most: number | undefined) => book.top(most ?? DEPTH_ALL)
  let before = depth === undefined && book.cutDepth() === undefined ? undefined : topOf(depth)
  return ({ event, effectiveTs: tsEvent }) => {
    const place = { tsEvent, sequence: String(event.sequence) }
    const most = depth ?? book.cutDepth()
    if (event.type !== 'update') {
      before = most === undefined ? undefined : topOf(most)
      const type = event.type === 'gap' ? 'gap' : 'snapshot'
      return rowOf(book, { instrumentId, place, change: { type, tsEvent, last: event, levels: before ?? topOf(most) } })
    }
    const previous = before
    before = most === undefined ? undefined : topOf(most)
    const levels = before === undefined ? event : changesSince(previous, before)
    if (levels.bids.length === 0 && levels.asks.length === 0) return undefined
    return rowOf(book, { instrumentId, place, change: { type: 'update', tsEvent, last: event, levels } })
  }
}

/** The whole book as a row at a place in the order; undefined before its first snapshot. */
export function wholeBook(
  book: OrderBook,
  { instrumentId, depth, place }: { instrumentId: number; depth: number | undefined; place: Position },
): Row | undefined {
  const last = book.place()
  if (last === undefined || book.status() === 'empty') return undefined
  const type = book.status() === 'known' ? 'snapshot' : 'gap'
  const change: Change = { type, tsEvent: last.tsEvent, last, levels: book.top(depth ?? DEPTH_ALL) }
  return rowOf(book, { instrumentId, place, change })
}

type RowParts = { instrumentId: number; place: Position; change: Change }

function rowOf(book: OrderBook, { instrumentId, place, change }: RowParts): Row {
  const { type, tsEvent, last, levels } = change
  const gap = type === 'gap' ? book.gap() : undefined
  return [
    String(instrumentId),
    place.sequence,
    place.tsEvent,
    tsEvent,
    String(last.sequence),
    last.tsRecv,
    String(last.bookEpoch),
    type,
    JSON.stringify(levels.bids),
    JSON.stringify(levels.asks),
    book.depthLimit()?.toString() ?? '',
    ...(gap === undefined ? NO_GAP : [gap.reason, gap.fromTs ?? '', gap.toTs]),
  ]
}

function changesSince(before: BookLevels | undefined, after: BookLevels): BookLevels {
  return { bids: changedLevels(before?.bids ?? [], after.bids), asks: changedLevels(before?.asks ?? [], after.asks) }
}

/** New sizes, and "0" for prices that are no longer there. */
function changedLevels(before: readonly Level[], after: readonly Level[]): Level[] {
  const removed = new Map(before)
  const changed: Level[] = []
  for (const level of after) {
    if (removed.get(level[0]) !== level[1]) changed.push(level)
    removed.delete(level[0])
  }
  for (const price of removed.keys()) changed.push([price, '0'])
  return changed
}

/** A row as JSON of the contract's BookChange. */
export function renderChange(row: Row, instrument: RegisteredInstrument, format: FormatTime): string {
  const { venue, symbol, venueSymbol, instrumentId } = instrument
  const at = (column: keyof typeof AT) => row[AT[column]] ?? ''
  const gap =
    at('type') === 'gap'
      ? {
          reason: at('gapReason'),
          from_ts: at('gapFrom') === '' ? null : format(at('gapFrom')),
          to_ts: format(at('gapTo')),
        }
      : null
  const head = JSON.stringify({
    venue,
    symbol,
    venue_symbol: venueSymbol,
    instrument_id: instrumentId,
    ts_event: format(at('tsEvent')),
    ts_recv: format(at('tsRecv')),
    sequence: at('sequence'),
    book_epoch: Number(at('epoch')),
    type: at('type'),
  })
  const levels = `"bids":${at('bids')},"asks":${at('asks')},"depth_limit":${at('depthLimit') || 'null'}`
  return `${head.slice(0, -1)},${levels},"gap":${JSON.stringify(gap)}}`
}
