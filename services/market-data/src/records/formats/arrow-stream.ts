import { rowsOf } from '../../lake/reading/row-batch.ts'
import { arrowColumn } from './arrow-columns.ts'
import { batchMessage, END_OF_STREAM, schemaMessage } from './arrow-messages.ts'
import type { RecordStream } from './record-stream.ts'
import type { Cell, RecordTable } from './record-table.ts'

/** Key of the last batch's metadata: the end of the stream as JSON. */
const END_KEY = 'tapeline'

/**
 * An Arrow IPC stream: a schema, batches, and an empty batch whose metadata has the end. Times are timestamps in
 * nanoseconds, prices and sizes exact text. A stream that a problem ended lacks the end marker of the format.
 */
export function arrowStream({ columns, lines }: RecordTable): RecordStream {
  const batchOf = (table: readonly (readonly Cell[])[], metadata?: Record<string, string>) => {
    const built = columns.map(({ kind }, at) =>
      arrowColumn(
        kind,
        table.map((line) => line[at] ?? null),
      ),
    )
    return batchMessage(table.length, built, metadata)
  }
  return {
    isCutByProblems: true,
    head: () => schemaMessage(columns),
    records: (batches) => batchOf(rowsOf(batches).flatMap(lines)),
    end: (end) => {
      const last = batchOf([], { [END_KEY]: JSON.stringify(end) })
      return end.problem === undefined ? Buffer.concat([last, END_OF_STREAM]) : last
    },
  }
}
