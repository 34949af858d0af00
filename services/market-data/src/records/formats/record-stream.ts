import type { Problem } from '@tapeline/contracts/problem'
import type { RowBatch } from '../../lake/reading/row-batch.ts'

/** The last line or message of a streamed answer. `problem`: the reason why the stream ended early. */
export type StreamEnd = {
  next_cursor: string | null
  has_more: boolean
  /** Records before the end; of books, events. */
  rows: number
  problem?: Problem
  request_id: string
}

/** Turns the records of one answer into bytes, page by page. */
export type RecordStream = {
  /** The connection is cut after a problem, because readers of the format may ignore the end object. */
  isCutByProblems?: true
  head: () => string | Uint8Array
  records: (batches: readonly RowBatch[]) => string | Uint8Array
  end: (end: StreamEnd) => string | Uint8Array
}
