import { dayStart } from '../../nanoseconds.ts'
import { SIDE_LETTERS, SIDE_SOURCE_LETTERS } from '../../store/copy-queries.ts'
import type { TradeRecord } from '../../store/record.ts'
import { type DecimalChunk, decimalChunk } from './decimal-chunk.ts'

/** Trades of one day in the order in which they arrived, by column: a worker thread receives them without a copy. */
export type TradeChunk = {
  rows: number
  /** Nanoseconds since the start of the day. */
  times: Float64Array<ArrayBuffer>
  /** Nanoseconds since 1970; null if every receive time equals its event time. */
  receiveTimes: BigInt64Array<ArrayBuffer> | null
  flags: Int32Array<ArrayBuffer>
  /** Character codes of the letters of the columns side and side_source. */
  sides: Uint8Array<ArrayBuffer>
  sideSources: Uint8Array<ArrayBuffer>
  /** 1 or 0. */
  hasTradeIds: Uint8Array<ArrayBuffer>
  prices: DecimalChunk
  sizes: DecimalChunk
  /** Numbers if each converts back to the same text. */
  sourceIds: BigInt64Array<ArrayBuffer> | string[]
  conditions: (string | null)[] | null
}

/** A number that converts back to the same text. */
export const NUMERIC_ID = /^[1-9][0-9]{0,17}$/
const NS_DIGITS = 9
const NS_PER_SECOND = 1_000_000_000
const SECONDS_PER_DAY = 86_400
const NS_PER_DAY = SECONDS_PER_DAY * NS_PER_SECOND

/** @throws if a record belongs to another day */
export function tradeChunk(records: readonly TradeRecord[], day: number): TradeChunk {
  const startSecond = day * SECONDS_PER_DAY
  const rows = records.length
  const times = new Float64Array(rows)
  const flags = new Int32Array(rows)
  const [sides, sideSources, hasTradeIds] = [new Uint8Array(rows), new Uint8Array(rows), new Uint8Array(rows)]
  let at = 0
  for (const record of records) {
    times[at] = timeInDay(record.tsEvent, startSecond)
    flags[at] = record.flags
    sides[at] = SIDE_LETTERS[record.side].charCodeAt(0)
    sideSources[at] = SIDE_SOURCE_LETTERS[record.sideSource].charCodeAt(0)
    hasTradeIds[at] = record.hasTradeId ? 1 : 0
    at += 1
  }
  return {
    rows,
    times,
    receiveTimes: receiveTimesOf(records),
    flags,
    sides,
    sideSources,
    hasTradeIds,
    prices: decimalChunk(records, ({ price }) => price),
    sizes: decimalChunk(records, ({ size }) => size),
    sourceIds: sourceIdsOf(records),
    conditions: conditionsOf(records),
  }
}

function receiveTimesOf(records: readonly TradeRecord[]): TradeChunk['receiveTimes'] {
  if (records.every(({ tsEvent, tsRecv }) => tsEvent === tsRecv)) return null
  const times = new BigInt64Array(records.length)
  for (const [at, { tsRecv }] of records.entries()) times[at] = BigInt(tsRecv)
  return times
}

function sourceIdsOf(records: readonly TradeRecord[]): TradeChunk['sourceIds'] {
  if (!records.every(({ sourceId }) => NUMERIC_ID.test(sourceId))) return records.map(({ sourceId }) => sourceId)
  const ids = new BigInt64Array(records.length)
  for (const [at, { sourceId }] of records.entries()) ids[at] = BigInt(sourceId)
  return ids
}

function conditionsOf(records: readonly TradeRecord[]): TradeChunk['conditions'] {
  if (records.every(({ conditions }) => conditions.length === 0)) return null
  return records.map(({ conditions }) => (conditions.length === 0 ? null : conditions.join(' ')))
}

function timeInDay(tsEvent: string, startSecond: number): number {
  const second = Number(tsEvent.slice(0, -NS_DIGITS)) - startSecond
  const time = second * NS_PER_SECOND + Number(tsEvent.slice(-NS_DIGITS))
  if (!(time >= 0 && time < NS_PER_DAY)) throw new Error('a record is not of the day')
  return time
}

/** Nanoseconds since 1970 of times within a day. */
export function timesOfDay(times: Float64Array, day: number): BigInt64Array<ArrayBuffer> {
  const start = dayStart(day)
  const all = new BigInt64Array(times.length)
  for (let at = 0; at < all.length; at += 1) all[at] = start + BigInt(times[at] ?? 0)
  return all
}

/** The buffers that move to another thread. */
export function buffersOf({ prices, sizes, ...chunk }: TradeChunk): ArrayBuffer[] {
  const decimals = [prices, sizes].flatMap((one) => (Array.isArray(one) ? [] : [one.mantissas, one.scales]))
  const ids = Array.isArray(chunk.sourceIds) ? [] : [chunk.sourceIds]
  const receiveTimes = chunk.receiveTimes === null ? [] : [chunk.receiveTimes]
  const bytes = [chunk.times, chunk.flags, chunk.sides, chunk.sideSources, chunk.hasTradeIds]
  return [...bytes, ...receiveTimes, ...ids, ...decimals].map(({ buffer }) => buffer)
}
