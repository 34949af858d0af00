import type { RowBatch } from '../../lake/reading/row-batch.ts'
import type { RecordStream } from './record-stream.ts'

const END_OF_LINE = Buffer.from('\n')

/** A JSON object per line, which `render` separates; the last line is not a record but the end. */
export function ndjsonStream(render: (batches: readonly RowBatch[]) => Buffer): RecordStream {
  return {
    head: () => '',
    records: (batches) => Buffer.concat([render(batches), END_OF_LINE]),
    end: (end) => `${JSON.stringify(end)}\n`,
  }
}
