import type { Key } from '../../records/cursor.ts'
import type { Row } from '../../records/record-queries.ts'
import { keyOfRow } from '../../records/row-key.ts'
import type { Block } from '../files/decode-block.ts'

/** Consecutive rows of a block in the direction of a read, without an object per row. */
export type RowSpan = { block: Block; instrumentId: number; first: number; count: number; step: 1 | -1 }
export type RowBatch = { rows: readonly Row[] } | RowSpan

export function batchLength(batch: RowBatch): number {
  return 'rows' in batch ? batch.rows.length : batch.count
}

/** The first rows of a batch. */
export function batchHead(batch: RowBatch, count: number): RowBatch {
  if (count >= batchLength(batch)) return batch
  return 'rows' in batch ? { rows: batch.rows.slice(0, count) } : { ...batch, count }
}

/** The place of the last row of a batch that is not empty. */
export function lastKey(batch: RowBatch): Key {
  if ('rows' in batch) return keyOfRow(batch.rows.at(-1) ?? [])
  const { block, instrumentId, first, count, step } = batch
  const at = first + (count - 1) * step
  return { tsEvent: String(block.times[at]), instrumentId, sequence: String(block.sequences[at]) }
}

export function rowsOf(batches: readonly RowBatch[]): Row[] {
  return batches.flatMap((batch) => ('rows' in batch ? batch.rows : spanRows(batch)))
}

function spanRows({ block, instrumentId, first, count, step }: RowSpan): Row[] {
  const id = String(instrumentId)
  return Array.from({ length: count }, (_value, place) => rowAt(block, first + place * step, id))
}

export function rowAt({ columns }: Block, at: number, instrumentId: string): Row {
  const row = [instrumentId]
  for (const text of columns) row.push(text(at) ?? '')
  return row
}
