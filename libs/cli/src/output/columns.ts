import type { Bar, BookChange, DataFile, Instrument, L2Event, LimitWindow, Quote, Trade } from '@tapeline/client'

/** Fields of a record: those shown in a table, and all fields for CSV. */
export type Columns = { table: readonly string[]; csv: readonly string[] }

function columnsOf<Item>(table: readonly (keyof Item & string)[], hidden: readonly (keyof Item & string)[]): Columns {
  return { table, csv: [...table, ...hidden] }
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

const key = ['prefix', 'name', 'status', 'kind', 'scopes', 'tags', 'expires_at', 'last_used_at', 'id']
export const keyColumns: Columns = {
  table: key,
  csv: [...key, 'description', 'environment', 'networks', 'owner_note', 'external_id', 'created_at', 'revoked_at'],
}

const counts = ['total', 'success', 'failed', 'denied', 'p50_ms', 'p95_ms', 'p99_ms']
const errors = ['client_errors', 'server_errors']
export const usageColumns: Columns = {
  table: ['from', ...counts],
  csv: ['from', 'to', ...counts, ...errors, 'partial'],
}
export const usageRowColumns: Columns = { table: ['key', ...counts], csv: ['key', ...counts, ...errors, 'last_at'] }

const request = ['time', 'method', 'route', 'status', 'code', 'latency_ms', 'key_name', 'request_id']
export const requestColumns: Columns = {
  table: request,
  csv: [...request, 'outcome', 'key_id', 'network', 'bytes_in', 'bytes_out', 'rows_returned', 'id'],
}

const windows = ['name', 'used', 'limit', 'remaining', 'resets_at']
export const windowColumns: Columns = { table: windows, csv: windows }

const webhook = ['name', 'url', 'state', 'failing_since', 'id']
export const webhookColumns: Columns = { table: webhook, csv: [...webhook, 'event_types', 'created_at'] }

const forwarded = ['sequence', 'type', 'status', 'error', 'latency_ms', 'message_id']
export const forwardedColumns: Columns = { table: forwarded, csv: forwarded }
