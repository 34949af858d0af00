import type pg from 'pg'
import { compareNanoseconds } from '../nanoseconds.ts'
import { type IdRange, listAggregates } from './aggregate-queries.ts'
import { FLAGS, type RecordBatch, type TradeRecord } from './record.ts'

const AGGREGATE = /^aggregate:(\d{1,15})-(\d{1,15})$/

/**
 * Leaves out missed trades that are stored as a part of an aggregate. A connector that continues for another one may request
 * them before the last records of the other are stored; the records themselves arrive in order.
 */
export async function omitAggregatedTrades<T extends RecordBatch>(client: pg.ClientBase, batch: T): Promise<T> {
  const { instrumentId, trades } = batch
  const times = trades.filter(isMissed).map(({ tsEvent }) => tsEvent)
  const [first] = times.toSorted(compareNanoseconds)
  if (first === undefined) return batch
  const last = times.toSorted(compareNanoseconds).at(-1) ?? first
  const ranges = [
    ...(await listAggregates(client, instrumentId, { from: first, to: last })),
    ...trades.flatMap(rangesOf),
  ]
  if (ranges.length === 0) return batch
  return { ...batch, trades: trades.filter((trade) => !isMissed(trade) || !isInside(ranges, Number(trade.sourceId))) }
}

function isMissed({ hasTradeId, flags }: TradeRecord): boolean {
  return hasTradeId && (flags & FLAGS.late) !== 0
}

function rangesOf({ hasTradeId, conditions }: TradeRecord): IdRange[] {
  const [, firstId, lastId] = AGGREGATE.exec(conditions[0] ?? '') ?? []
  return hasTradeId || firstId === undefined ? [] : [{ firstId: Number(firstId), lastId: Number(lastId) }]
}

function isInside(ranges: readonly IdRange[], id: number): boolean {
  return ranges.some(({ firstId, lastId }) => firstId <= id && id <= lastId)
}
