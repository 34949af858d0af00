import type { RegisteredInstrument } from '../../instruments/instrument.ts'
import { L2_TYPE_LETTERS, SIDE_LETTERS, SIDE_SOURCE_LETTERS } from '../../store/copy-queries.ts'
import type { ChannelName } from '../../tables.ts'
import type { Filter } from '../filter.ts'
import type { Row } from '../record-queries.ts'
import { l2ColumnsOf, levelLines } from '../render-l2-event.ts'
import { flagNames } from '../render-record.ts'
import { tradeColumnsOf } from '../render-trade.ts'

/** `time`: nanoseconds since 1970 as digits. */
export type CellKind = 'text' | 'time' | 'int32' | 'uint64' | 'boolean'
export type TableColumn = { name: string; kind: CellKind }
/** Text of a cell (`true` or `false` of a boolean); null for null. */
export type Cell = string | null
export type RecordTable = {
  columns: readonly TableColumn[]
  /** A trade is one line; a book event is one line per level, or one without a level. */
  lines: (row: Row) => readonly Cell[][]
}
export type TableOf = { instruments: readonly RegisteredInstrument[]; filter: Filter }

/** The records of a channel as a table, with the contract's field names. */
export function recordTable(channel: ChannelName, of: TableOf): RecordTable {
  return channel === 'trade' ? tradeTable(of) : levelTable(of)
}

const HEAD: readonly TableColumn[] = [
  { name: 'id', kind: 'text' },
  { name: 'venue', kind: 'text' },
  { name: 'symbol', kind: 'text' },
  { name: 'venue_symbol', kind: 'text' },
  { name: 'instrument_id', kind: 'int32' },
  { name: 'ts_event', kind: 'time' },
  { name: 'ts_recv', kind: 'time' },
  { name: 'sequence', kind: 'uint64' },
  { name: 'flags', kind: 'text' },
]

type HeadColumns = readonly [instrumentId: string, sequence: string, tsEvent: string, tsRecv: string, flags: string]
type HeadOf = (columns: HeadColumns, sourceId: string) => Cell[]

function headOf(instruments: readonly RegisteredInstrument[]): HeadOf {
  const names = new Map(instruments.map((instrument) => [String(instrument.instrumentId), instrument]))
  return ([instrumentId, sequence, tsEvent, tsRecv, flags], sourceId) => {
    const { venue, symbol, venueSymbol } = names.get(instrumentId) ?? NO_NAMES
    const id = `${venue}:${symbol}:${sourceId}`
    return [id, venue, symbol, venueSymbol, instrumentId, tsEvent, tsRecv, sequence, flagNames(flags).join(' ')]
  }
}

const NO_NAMES = { venue: '', symbol: '', venueSymbol: '' }

function tradeTable({ instruments, filter }: TableOf): RecordTable {
  const head = headOf(instruments)
  const hasConditions = filter.include?.includes('conditions') ?? false
  const conditions: TableColumn[] = hasConditions ? [{ name: 'conditions', kind: 'text' }] : []
  return {
    columns: [...HEAD, ...TRADE_COLUMNS, ...conditions],
    lines: (row) => {
      const [id, sequence, tsEvent, tsRecv, flags, side, sideSource, hasTradeId, price, size, sourceId, words] =
        tradeColumnsOf(row)
      const start = head([id, sequence, tsEvent, tsRecv, flags], sourceId)
      const tradeId = hasTradeId === 't' ? sourceId : null
      const cells = [tradeId, null, price, size, SIDES.get(side) ?? null, SIDE_SOURCES.get(sideSource) ?? null]
      return [[...start, ...cells, ...(hasConditions ? [words] : [])]]
    },
  }
}

const TRADE_COLUMNS: readonly TableColumn[] = [
  { name: 'trade_id', kind: 'text' },
  { name: 'venue_sequence', kind: 'text' },
  { name: 'price', kind: 'text' },
  { name: 'size', kind: 'text' },
  { name: 'side', kind: 'text' },
  { name: 'side_source', kind: 'text' },
]
const SIDES = wordsOf(SIDE_LETTERS)
const SIDE_SOURCES = wordsOf(SIDE_SOURCE_LETTERS)
const TYPES = wordsOf(L2_TYPE_LETTERS)

function wordsOf(letters: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(Object.entries(letters).map(([word, letter]) => [letter, word]))
}

/** Order of the columns that record-queries selects of a book event. */
function levelTable({ instruments, filter }: TableOf): RecordTable {
  const headWith = headOf(instruments)
  return {
    columns: [...HEAD, ...LEVEL_COLUMNS],
    lines: (row) => {
      const [id, sequence, tsEvent, tsRecv, flags, type, epoch, bids, asks, , sourceId] = l2ColumnsOf(row)
      const isSnapshot = String(type === L2_TYPE_LETTERS.snapshot)
      const head = headWith([id, sequence, tsEvent, tsRecv, flags], sourceId)
      const start = [...head, TYPES.get(type) ?? null, epoch, isSnapshot]
      const lines = levelLines(bids, asks, filter.depth).map((level) => [...start, ...level])
      return lines.length === 0 ? [[...start, null, null, null]] : lines
    },
  }
}

const LEVEL_COLUMNS: readonly TableColumn[] = [
  { name: 'type', kind: 'text' },
  { name: 'book_epoch', kind: 'int32' },
  { name: 'is_snapshot', kind: 'boolean' },
  { name: 'side', kind: 'text' },
  { name: 'price', kind: 'text' },
  { name: 'amount', kind: 'text' },
]
