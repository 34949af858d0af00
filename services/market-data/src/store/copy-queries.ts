import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { L2Record, RecordBatch, TradeRecord } from './record.ts'

const LINES_PER_CHUNK = 500
/** Letters of the "char" columns. */
export const SIDE_LETTERS = { buy: 'b', sell: 's', unknown: 'u' } as const
export const SIDE_SOURCE_LETTERS = { venue: 'v', maker_inverted: 'm', estimated: 'e', none: 'n' } as const
export const L2_TYPE_LETTERS = { snapshot: 's', update: 'u', clear: 'c', gap: 'g' } as const

const STAGED_TRADE = `instrument_id, position, ts_event, ts_recv, flags, side, side_source, has_trade_id, price, size,
  source_id, conditions`
const STAGED_L2_EVENT = `instrument_id, position, ts_event, ts_recv, flags, type, depth_limit, bids, asks, source_id,
  venue_first_id, venue_last_id, venue_prev_id, gap_reason, gap_from_ts`

/** Tables of this connection alone, empty at the start: a transaction may store several times. */
export async function createStaging(client: pg.ClientBase): Promise<void> {
  await client.query(`set local client_min_messages = warning`)
  await client.query(`
    create temp table if not exists staged_trade (
      instrument_id integer, position integer, ts_event bigint, ts_recv bigint, flags smallint, side "char",
      side_source "char", has_trade_id boolean, price numeric, size numeric, source_id text collate "C", conditions text
    ) on commit delete rows`)
  await client.query(`
    create temp table if not exists staged_l2_event (
      instrument_id integer, position integer, ts_event bigint, ts_recv bigint, flags smallint, type "char",
      depth_limit integer, bids text, asks text, source_id text collate "C", venue_first_id text, venue_last_id text,
      venue_prev_id text, gap_reason text, gap_from_ts bigint
    ) on commit delete rows`)
  await client.query('delete from staged_trade; delete from staged_l2_event')
}

export async function copyTrades(client: pg.ClientBase, batches: readonly RecordBatch[]): Promise<void> {
  await copy(
    client,
    `copy staged_trade (${STAGED_TRADE}) from stdin`,
    batches.flatMap(({ instrumentId, trades }) =>
      trades.map((trade, position) => tradeLine(instrumentId, position, trade)),
    ),
  )
}

export async function copyL2Events(client: pg.ClientBase, batches: readonly RecordBatch[]): Promise<void> {
  await copy(
    client,
    `copy staged_l2_event (${STAGED_L2_EVENT}) from stdin`,
    batches.flatMap(({ instrumentId, l2Events }) =>
      l2Events.map((event, position) => l2Line(instrumentId, position, event)),
    ),
  )
}

async function copy(client: pg.ClientBase, statement: string, lines: string[]): Promise<void> {
  if (lines.length === 0) return
  await pipeline(Readable.from(chunksOf(lines)), client.query(copyFrom(statement)))
}

function* chunksOf(lines: string[]): Generator<string> {
  for (let from = 0; from < lines.length; from += LINES_PER_CHUNK) {
    yield lines.slice(from, from + LINES_PER_CHUNK).join('')
  }
}

function tradeLine(instrumentId: number, position: number, trade: TradeRecord): string {
  const { tsEvent, tsRecv, flags, side, sideSource, hasTradeId, price, size, sourceId, conditions } = trade
  const letters = `${SIDE_LETTERS[side]}\t${SIDE_SOURCE_LETTERS[sideSource]}\t${hasTradeId ? 't' : 'f'}`
  const words = conditions.length === 0 ? '\\N' : escapeCopy(conditions.join(' '))
  return `${instrumentId}\t${position}\t${tsEvent}\t${tsRecv}\t${flags}\t${letters}\t${price}\t${size}\t${escapeCopy(sourceId)}\t${words}\n`
}

function l2Line(instrumentId: number, position: number, event: L2Record): string {
  const { tsEvent, tsRecv, flags, type, depthLimit, bids, asks, sourceId, gap } = event
  const fields = [
    instrumentId,
    position,
    tsEvent,
    tsRecv,
    flags,
    L2_TYPE_LETTERS[type],
    depthLimit ?? '\\N',
    JSON.stringify(bids),
    JSON.stringify(asks),
    escapeCopy(sourceId),
    nullable(event.venueFirstId),
    nullable(event.venueLastId),
    nullable(event.venuePrevId),
    nullable(gap?.reason ?? (type === 'gap' ? 'unknown' : null)),
    nullable(gap?.fromTs ?? null),
  ]
  return `${fields.join('\t')}\n`
}

function nullable(text: string | null): string {
  return text === null ? '\\N' : escapeCopy(text)
}

const SPECIAL = /[\\\t\n\r]/g
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** COPY's text format. */
export function escapeCopy(text: string): string {
  return text.replace(SPECIAL, (character) => ESCAPES[character] ?? character)
}
