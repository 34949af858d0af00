import { rowsOf } from '../../lake/reading/row-batch.ts'
import type { FormatTime } from '../render-record.ts'
import type { RecordStream } from './record-stream.ts'
import type { Cell, RecordTable, TableColumn } from './record-table.ts'

const NEEDS_QUOTES = /[",\r\n]/

/**
 * RFC 4180 with a header line and `\n`; null is an empty cell. The last line is not a record but `# ` and the end as
 * JSON, which readers skip as a comment.
 */
export function csvStream({ columns, lines }: RecordTable, formatTime: FormatTime): RecordStream {
  return {
    head: () => `${columns.map(({ name }) => name).join(',')}\n`,
    records: (batches) => {
      let text = ''
      for (const row of rowsOf(batches)) {
        for (const cells of lines(row)) text += lineOf(cells, columns, formatTime)
      }
      return text
    },
    end: (end) => `# ${JSON.stringify(end)}\n`,
  }
}

function lineOf(cells: readonly Cell[], columns: readonly TableColumn[], formatTime: FormatTime): string {
  let line = ''
  for (const [at, cell] of cells.entries()) {
    if (at > 0) line += ','
    if (cell === null) continue
    line += columns[at]?.kind === 'time' ? formatTime(cell) : quoted(cell)
  }
  return `${line}\n`
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
