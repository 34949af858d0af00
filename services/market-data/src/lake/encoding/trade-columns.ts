import { type DecimalColumn, joinDecimals, narrowDecimals } from './decimal-chunk.ts'
import { type Ids, numberRows, orderRows, type RowOrder } from './order-rows.ts'
import { NUMERIC_ID, type TradeChunk, timesOfDay } from './trade-chunk.ts'

type Texts = (string | null)[]

/** A whole day of trades by column, in the order of a file: (ts_event, sequence). */
export type TradeColumns = {
  rows: number
  sequences: BigInt64Array<ArrayBuffer>
  times: BigInt64Array<ArrayBuffer>
  receiveTimes: BigInt64Array<ArrayBuffer> | null
  flags: Int32Array<ArrayBuffer>
  sides: Uint8Array<ArrayBuffer>
  sideSources: Uint8Array<ArrayBuffer>
  hasTradeIds: Uint8Array<ArrayBuffer>
  prices: DecimalColumn
  sizes: DecimalColumn
  sourceIds: Ids
  conditions: Texts | null
}

export type TradesOfDay = {
  day: number
  /** Trades that are already in the sealed file, with their sequences. */
  stored: { chunks: readonly TradeChunk[]; sequences: BigInt64Array } | undefined
  /** In the order of their arrival. */
  chunks: readonly TradeChunk[]
  /** Last sequence of the channel: new trades get the next ones in the order of their arrival. */
  lastSequence: bigint
}

/** Of trades with the same time and id, the stored one is kept; if none is stored, the first. */
export function joinTrades({ day, stored, chunks, lastSequence }: TradesOfDay): TradeColumns {
  const all = [...(stored?.chunks ?? []), ...chunks]
  const columns = joinChunks(all, day)
  const rows = columns.times.length
  const order = orderRows(columns.times, columns.sourceIds)
  const numbering = { rows, stored: stored?.sequences ?? new BigInt64Array(), order, lastSequence }
  return inOrder({ ...columns, sequences: numberRows(numbering) }, order, day)
}

type Joined = ReturnType<typeof joinChunks>

function joinChunks(chunks: readonly TradeChunk[], day: number) {
  const rows = chunks.reduce((sum, chunk) => sum + chunk.rows, 0)
  return {
    times: joinNumbers(new Float64Array(rows), chunks, ({ times }) => times),
    receiveTimes: joinReceiveTimes(chunks, rows, day),
    flags: joinNumbers(new Int32Array(rows), chunks, ({ flags }) => flags),
    sides: joinNumbers(new Uint8Array(rows), chunks, ({ sides }) => sides),
    sideSources: joinNumbers(new Uint8Array(rows), chunks, ({ sideSources }) => sideSources),
    hasTradeIds: joinNumbers(new Uint8Array(rows), chunks, ({ hasTradeIds }) => hasTradeIds),
    prices: joinDecimals(chunks.map(({ prices }) => prices)),
    sizes: joinDecimals(chunks.map(({ sizes }) => sizes)),
    sourceIds: joinIds(chunks, rows),
    conditions: joinConditions(chunks),
  }
}

type Numbers = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>

function joinNumbers<T extends Numbers>(all: T, chunks: readonly TradeChunk[], of: (chunk: TradeChunk) => T): T {
  let at = 0
  for (const chunk of chunks) {
    all.set(of(chunk), at)
    at += chunk.rows
  }
  return all
}

function joinBigInts(rows: number, parts: readonly BigInt64Array[]): BigInt64Array<ArrayBuffer> {
  const all = new BigInt64Array(rows)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function joinIds(chunks: readonly TradeChunk[], rows: number): Ids {
  const parts = chunks.map(({ sourceIds }) => sourceIds)
  const numbers = parts.filter((ids) => ids instanceof BigInt64Array)
  if (numbers.length === parts.length) return joinBigInts(rows, numbers)
  return parts.flatMap((ids) => (Array.isArray(ids) ? ids : Array.from(ids, String)))
}

function joinReceiveTimes(chunks: readonly TradeChunk[], rows: number, day: number): BigInt64Array<ArrayBuffer> | null {
  if (chunks.every(({ receiveTimes }) => receiveTimes === null)) return null
  return joinBigInts(
    rows,
    chunks.map(({ receiveTimes, times }) => receiveTimes ?? timesOfDay(times, day)),
  )
}

function joinConditions(chunks: readonly TradeChunk[]): Texts | null {
  if (chunks.every(({ conditions }) => conditions === null)) return null
  return chunks.flatMap(({ conditions, rows }) => conditions ?? Array.from({ length: rows }, () => null))
}

function inOrder(
  joined: Joined & { sequences: BigInt64Array<ArrayBuffer> },
  order: RowOrder,
  day: number,
): TradeColumns {
  const { flags, sides, sideSources, hasTradeIds, receiveTimes, conditions, prices, sizes, sourceIds } = joined
  if (order === undefined) return { ...joined, rows: joined.times.length, times: timesOfDay(joined.times, day) }
  const pick = <T>(values: readonly T[]): T[] =>
    Array.from(order, (at) => values[at]).filter((one) => one !== undefined)
  const pickBytes = (values: Uint8Array) => Uint8Array.from(order, (at) => values[at] ?? 0)
  const pickBigInts = (values: BigInt64Array) => BigInt64Array.from(pick(Array.from(values)))
  const pickValues = (values: Ids) => (Array.isArray(values) ? pick(values) : pickBigInts(values))
  // Column types depend only on the remaining rows, so that a day has the same bytes regardless of the order of arrival.
  const isNarrower = order.length < joined.times.length
  const settle = (column: DecimalColumn) => (isNarrower ? narrowDecimals(column) : column)
  return {
    rows: order.length,
    sequences: pickBigInts(joined.sequences),
    times: timesOfDay(
      Float64Array.from(order, (at) => joined.times[at] ?? 0),
      day,
    ),
    receiveTimes: receiveTimes && pickBigInts(receiveTimes),
    flags: Int32Array.from(order, (at) => flags[at] ?? 0),
    sides: pickBytes(sides),
    sideSources: pickBytes(sideSources),
    hasTradeIds: pickBytes(hasTradeIds),
    prices: settle({ ...prices, values: pickValues(prices.values) }),
    sizes: settle({ ...sizes, values: pickValues(sizes.values) }),
    sourceIds: isNarrower ? narrowIds(pickValues(sourceIds)) : pickValues(sourceIds),
    conditions: conditions && pick(conditions),
  }
}

function narrowIds(ids: Ids): Ids {
  return Array.isArray(ids) && ids.every((id) => NUMERIC_ID.test(id)) ? BigInt64Array.from(ids, BigInt) : ids
}
