import type pg from 'pg'
import { compareNanoseconds } from '../nanoseconds.ts'
import { type IdRange, listAggregates, listStoredIds } from './aggregate-queries.ts'
import { FLAGS, type RecordBatch, type TradeRecord } from './record.ts'

const AGGREGATE = /^aggregate:(\d{1,15})-(\d{1,15})$/

/**
 * Leaves out missed trades that are stored with another time (a venue may report a more precise one over REST) or as a
 * part of an aggregate. A connector that continues for another one may request them before the last records of the other
 * are stored; the records themselves arrive in order.
 */
export async function omitStoredTrades<T extends RecordBatch>(client: pg.ClientBase, batch: T): Promise<T> {
  const { instrumentId, trades } = batch
  const missed = trades.filter(isMissed)
  const times = missed.map(({ tsEvent }) => tsEvent).toSorted(compareNanoseconds)
  const [from, to = from] = [times[0], times.at(-1)]
  if (from === undefined || to === undefined) return batch
  const received = trades.filter((trade) => !isMissed(trade))
  const ids = missed.map(({ sourceId }) => sourceId)
  const stored = new Set([
    ...(await listStoredIds(client, instrumentId, { from, to, ids })),
    ...received.map(({ sourceId }) => sourceId),
  ])
  const ranges = [...(await listAggregates(client, instrumentId, { from, to })), ...received.flatMap(rangesOf)]
  const isKnown = ({ sourceId }: TradeRecord) => stored.has(sourceId) || isInside(ranges, Number(sourceId))
  return { ...batch, trades: trades.filter((trade) => !isMissed(trade) || !isKnown(trade)) }
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
