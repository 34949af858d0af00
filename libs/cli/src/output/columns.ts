import type { Bar, BookChange, DataFile, Instrument, L2Event, LimitWindow, Quote, Trade } from '@tapeline/client'

/** Fields of a record: those of a table, and all of them for CSV. */
export type Columns = { table: readonly string[]; csv: readonly string[] }

function columnsOf<Item>(table: readonly (keyof Item & string)[], rest: readonly (keyof Item & string)[]): Columns {
  return { table, csv: [...table, ...rest] }
}

const identity = ['venue_symbol', 'instrument_id', 'id'] as const

export const tradeColumns = columnsOf<Trade>(
  ['ts_event', 'venue', 'symbol', 'side', 'price', 'size', 'sequence'],
  ['ts_recv', 'trade_id', 'venue_sequence', 'side_source', 'flags', ...identity],
)

export const l2Columns = columnsOf<L2Event>(
  ['ts_event', 'venue', 'symbol', 'type', 'sequence', 'bids', 'asks'],
  [
    'ts_recv',
    'prev_sequence',
    'venue_first_id',
    'venue_last_id',
    'venue_prev_id',
    'book_epoch',
    'depth_limit',
    'checksum',
    'checksum_status',
    'gap',
    'flags',
    ...identity,
  ],
)

export const quoteColumns = columnsOf<Quote>(
  ['ts_event', 'venue', 'symbol', 'bid_price', 'bid_size', 'ask_price', 'ask_size', 'sequence'],
  ['ts_recv', 'book_epoch', 'state', ...identity],
)

export const bookColumns = columnsOf<BookChange>(
  ['ts_event', 'venue', 'symbol', 'type', 'sequence', 'bids', 'asks'],
  ['ts_recv', 'book_epoch', 'depth_limit', 'gap', 'venue_symbol', 'instrument_id'],
)

export const barColumns = columnsOf<Bar>(
  ['ts_start', 'venue', 'symbol', 'bar', 'open', 'high', 'low', 'close', 'volume', 'count', 'finality'],
  ['ts_end', 'notional', 'vwap', 'first_sequence', 'last_sequence', 'first_ts_event', 'last_ts_event', ...identity],
)

export const instrumentColumns = columnsOf<Instrument>(
  ['venue', 'symbol', 'kind', 'tick', 'lot', 'first_ts_event', 'last_ts_event', 'trades', 'l2_events'],
  [
    'base',
    'quote',
    'size_unit',
    'multiplier',
    'ts_event_precision',
    'aliases',
    'valid_from',
    'valid_to',
    'venue_symbol',
    'instrument_id',
  ],
)

export const fileColumns = columnsOf<DataFile>(
  ['id', 'date', 'venue', 'symbol', 'channel', 'rows', 'bytes', 'revision', 'finality'],
  ['name', 'dates', 'sha256', 'sealed_at'],
)

export const limitColumns = columnsOf<LimitWindow>(['scope', 'policy', 'used', 'limit', 'remaining', 'reset_ms'], [])

const levels = ['side', 'price', 'size']
export const levelColumns: Columns = { table: levels, csv: levels }

const stored = ['name', 'bytes', 'state', 'path']
export const storedColumns: Columns = { table: stored, csv: [...stored, 'id'] }
