import type { ReportFormat } from '@tapeline/contracts/audit/reports'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { csvLine } from '../exports/csv.ts'
import type { ExportRow } from '../exports/write-rows.ts'
import { reportPdf } from './report-pdf.ts'

export type ReportTable = { columns: readonly string[]; rows: readonly ExportRow[] }
export type ReportFile = { contentType: string; extension: string; bytes: Buffer }

/** Maximum size of a report as CSV: the event with the file stays below Kafka's maximum message size. */
const CSV_BYTES_MAX = 262_144

/** The table in a format. Rows past the maximum size are omitted: the busiest come first. */
export function writeReportFile(
  format: ReportFormat,
  table: ReportTable,
  head: { title: string; subtitle: string },
): ReportFile {
  const { columns } = table
  const lines = table.rows.map((row) => csvLine(columns.map((column) => row[column] ?? null)))
  const count = countFitting(csvLine(columns), lines)
  const rows = table.rows.slice(0, count)
  switch (format) {
    case 'csv': {
      const text = csvLine(columns) + lines.slice(0, count).join('')
      return { contentType: 'text/csv; charset=utf-8; header=present', extension: 'csv', bytes: Buffer.from(text) }
    }
    case 'parquet':
      return {
        contentType: 'application/vnd.apache.parquet',
        extension: 'parquet',
        bytes: Buffer.from(parquetWriteBuffer({ columnData: columns.map((name) => columnOf(name, rows)) })),
      }
    case 'pdf':
      return { contentType: 'application/pdf', extension: 'pdf', bytes: reportPdf({ ...head, columns, rows }) }
  }
}

function countFitting(header: string, lines: readonly string[]): number {
  let bytes = Buffer.byteLength(header)
  for (const [n, line] of lines.entries()) {
    bytes += Buffer.byteLength(line)
    if (bytes > CSV_BYTES_MAX) return n
  }
  return lines.length
}

/** Counts are INT64, response times DOUBLE, everything else text. */
function columnOf(name: string, rows: readonly ExportRow[]) {
  const values = rows.map((row) => row[name] ?? null)
  if (name.endsWith('_ms')) return { name, data: values, type: 'DOUBLE' as const, nullable: true }
  const isCount = values.some((value) => typeof value === 'number')
  if (isCount) {
    const data = values.map((value) => (typeof value === 'number' ? BigInt(value) : null))
    return { name, data, type: 'INT64' as const, nullable: true }
  }
  return {
    name,
    data: values.map((value) => (value === null ? null : String(value))),
    type: 'STRING' as const,
    nullable: true,
  }
}
