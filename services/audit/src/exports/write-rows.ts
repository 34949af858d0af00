import type { EXPORT_FORMATS } from '@tapeline/contracts/audit/export'
import { type Cell, csvLine } from './csv.ts'

export type ExportFormat = (typeof EXPORT_FORMATS)[number]
export type ExportRow = Record<string, Cell>

/** A file generated page by page while it is sent. */
export type ExportFile = { name: string; contentType: string; body: AsyncIterable<string | Uint8Array> }

const CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
}
const DAY_CHARACTERS = 'YYYY-MM-DD'.length

export type NewExport = {
  what: string
  format: ExportFormat
  at: Date
  columns: readonly string[]
  pages: AsyncIterable<readonly ExportRow[]>
}

/** Name, content type and streamed body of an export, page by page. */
export function writeRows({ what, format, at, columns, pages }: NewExport): ExportFile {
  const day = at.toISOString().slice(0, DAY_CHARACTERS)
  return {
    name: `tapeline-${what}-${day}.${format}`,
    contentType: CONTENT_TYPES[format],
    body: format === 'csv' ? csvPages(columns, pages) : jsonPages(pages),
  }
}

async function* csvPages(columns: readonly string[], pages: NewExport['pages']): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const rows of pages) {
    if (rows.length > 0) yield rows.map((row) => csvLine(columns.map((column) => row[column] ?? null))).join('')
  }
}

async function* jsonPages(pages: NewExport['pages']): AsyncGenerator<string> {
  for await (const rows of pages) {
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  }
}
