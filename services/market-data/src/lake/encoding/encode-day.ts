import { L2_TYPE_LETTERS } from '../../store/copy-queries.ts'
import { AT, type FileRow } from '../files/layout.ts'
import type { WrittenFile } from '../files/write-file.ts'
import { buildFile, storedRows } from './build-file.ts'
import { copyLines } from './copy-lines.ts'
import { encodeTrades } from './encode-trades.ts'
import { EVENT_AT, numberEvents } from './number-events.ts'
import { type StoredFile, storedTrades } from './stored-trades.ts'
import type { TradeChunk } from './trade-chunk.ts'
import { joinTrades, type TradeColumns } from './trade-columns.ts'

/** The manifest's data about the rows of a file. */
export type FileCounts = {
  row_count: string
  ts_min: string | null
  ts_max: string | null
  sequence_min: string | null
  sequence_max: string | null
}
export type SealedGap = {
  tsEvent: string
  sequence: string
  /** Whether the event is the snapshot with which the gap ends. */
  isEnd: boolean
  reason: string | null
  fromTs: string | null
}

/** New records of one day, in the order of their arrival. */
export type DayRecords =
  | { channel: 'trade'; chunks: readonly TradeChunk[] }
  /** From `eventLines`. */
  | { channel: 'l2_event'; chunks: readonly Uint8Array<ArrayBuffer>[] }

export type DayToEncode = {
  day: number
  records: DayRecords
  /** The day's current file, which the new one replaces. */
  stored: StoredFile | undefined
  lastSequence: bigint
  bookEpoch: number
}

export type EncodedDay = {
  /** Undefined if every record is already stored. */
  file: WrittenFile | undefined
  counts: FileCounts
  added: number
  /** Number of epochs in the new rows. */
  epochs: number
  /** Whether the first new row begins an epoch. */
  isOpening: boolean
  gaps: SealedGap[]
}

/** The file of a day: its stored rows and the new ones, which get the next sequences of their channel. */
export function encodeDay(input: DayToEncode): Promise<EncodedDay> {
  const { records } = input
  return records.channel === 'trade' ? encodeTradeDay(input, records.chunks) : encodeEventDay(input, records.chunks)
}

async function encodeTradeDay(
  { day, stored, lastSequence }: DayToEncode,
  chunks: readonly TradeChunk[],
): Promise<EncodedDay> {
  const before = stored === undefined ? undefined : await storedTrades(stored, day)
  const columns = joinTrades({ day, stored: before, chunks, lastSequence })
  const added = columns.rows - (before?.sequences.length ?? 0)
  const file = added === 0 ? undefined : await encodeTrades(columns)
  return { file, counts: countTrades(columns), added, epochs: 0, isOpening: false, gaps: [] }
}

function countTrades({ rows, times, sequences }: TradeColumns): FileCounts {
  let [least, most] = [sequences[0], sequences[0]]
  for (const sequence of sequences) {
    if (least === undefined || sequence < least) least = sequence
    if (most === undefined || sequence > most) most = sequence
  }
  return countsOf(rows, [times[0], times.at(-1), least, most].map(textOrNull))
}

async function encodeEventDay(input: DayToEncode, chunks: readonly Uint8Array[]): Promise<EncodedDay> {
  const stored = input.stored === undefined ? [] : await storedRows('l2_event', input.stored)
  const fresh = await Array.fromAsync(copyLines(chunks))
  const { rows, added, epochs } = numberEvents({ ...input, stored, fresh })
  const file = added.length === 0 ? undefined : await buildFile('l2_event', () => rows)
  const sequences = rows.map((row) => BigInt(row[AT.sequence] ?? ''))
  const least = sequences.reduce((one, other) => (other < one ? other : one), sequences[0] ?? 0n)
  const most = sequences.reduce((one, other) => (other > one ? other : one), 0n)
  const bounds = [rows[0]?.[AT.tsEvent], rows.at(-1)?.[AT.tsEvent], least, most].map(textOrNull)
  const gaps = added.filter(isGap).map(gapOf)
  const isOpening = added[0] !== undefined && added[0][EVENT_AT.type] !== L2_TYPE_LETTERS.update
  return { file, counts: countsOf(rows.length, bounds), added: added.length, epochs, isOpening, gaps }
}

function countsOf(rows: number, [first = null, last = null, least = null, most = null]: (string | null)[]): FileCounts {
  return { row_count: String(rows), ts_min: first, ts_max: last, sequence_min: least, sequence_max: most }
}

function textOrNull(value: bigint | string | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

/** A gap, or the snapshot with which one ends. */
function isGap(row: FileRow): boolean {
  return row[EVENT_AT.type] === L2_TYPE_LETTERS.gap || (row[EVENT_AT.gapFrom] ?? null) !== null
}

function gapOf(row: FileRow): SealedGap {
  return {
    tsEvent: row[AT.tsEvent] ?? '',
    sequence: row[AT.sequence] ?? '',
    isEnd: row[EVENT_AT.type] !== L2_TYPE_LETTERS.gap,
    reason: row[EVENT_AT.gapReason] ?? null,
    fromTs: row[EVENT_AT.gapFrom] ?? null,
  }
}
