import { Readable } from 'node:stream'
import { STREAM_ROWS_MAX } from '@tapeline/contracts/market-data/http'
import { problemOf } from '@tapeline/service/problem'
import { toAppError } from '@tapeline/service/to-app-error'
import { batchLength } from '../lake/reading/row-batch.ts'
import type { ListBody } from './filter.ts'
import type { RecordStream, StreamEnd } from './formats/record-stream.ts'
import type { RecordCall, RecordPage } from './list-records.ts'

export type ReadRecords = (call: RecordCall) => Promise<RecordPage>
export type StreamCall = {
  body: ListBody
  requestId: string
  path: string
  streamOf: (page: RecordPage) => RecordStream
}

/** Records in memory at once, per stream. */
const PORTION_ROWS = 1_000

/**
 * Up to a million records, read in portions at the client's pace. The end object has the cursor to continue from, or
 * which problem ended the stream; a call that cannot be answered fails before the first byte.
 */
export async function streamRecords(read: ReadRecords, call: StreamCall): Promise<Readable> {
  const first = await read({ ...call.body, portion: PORTION_ROWS })
  const rowsMax = first.limit ?? STREAM_ROWS_MAX
  return Readable.from(chunksOf(read, call, { first, rowsMax }), { objectMode: false, highWaterMark: 1 })
}

type Start = { first: RecordPage; rowsMax: number }
type Chunks = AsyncGenerator<string | Uint8Array>

async function* chunksOf(read: ReadRecords, call: StreamCall, { first, rowsMax }: Start): Chunks {
  const stream = call.streamOf(first)
  let page = first
  let rows = 0
  const endWith = (outcome: Pick<StreamEnd, 'has_more' | 'problem'>) =>
    stream.end({ next_cursor: page.nextCursor, rows, request_id: call.requestId, ...outcome })
  const head = stream.head()
  if (head.length > 0) yield head
  try {
    for (;;) {
      rows += page.batches.reduce((sum, batch) => sum + batchLength(batch), 0)
      if (page.batches.length > 0) yield stream.records(page.batches)
      if (!page.hasMore || page.nextCursor === null || rows >= rowsMax) break
      page = await read({ cursor: page.nextCursor, portion: Math.min(PORTION_ROWS, rowsMax - rows) })
    }
    yield endWith({ has_more: page.hasMore })
  } catch (error) {
    const problem = problemOf(toAppError(error), { requestId: call.requestId, path: call.path })
    yield endWith({ has_more: true, problem })
    if (stream.isCutByProblems) throw error
  }
}
