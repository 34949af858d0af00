import type { Format } from '../command.ts'
import type { Columns } from './columns.ts'

type Fields = Readonly<Record<string, unknown>>

/** Text of records that arrive in batches: `next` for each batch, `end` once after the last one. */
export type Formatter = { next: (records: readonly object[]) => string; end: () => string }

/** @param columns of a table and of CSV; JSON has all fields */
export function formatRecords(format: Format, columns: Columns): Formatter {
  return { table: formatTable, csv: formatCsv, json: formatJson, ndjson: formatNdjson }[format](columns)
}

function formatNdjson(): Formatter {
  return { next: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join(''), end: () => '' }
}

/** One array, with a record on each line. */
function formatJson(): Formatter {
  let before = '['
  return {
    next: (records) =>
      records
        .map((record) => {
          const text = `${before}\n  ${JSON.stringify(record)}`
          before = ','
          return text
        })
        .join(''),
    end: () => (before === '[' ? '[]\n' : '\n]\n'),
  }
}

/** RFC 4180, with a header line. Lists and objects are JSON, a null is an empty field. */
function formatCsv({ csv }: Columns): Formatter {
  let header = `${csv.join(',')}\r\n`
  const take = (text: string): string => {
    const whole = header + text
    header = ''
    return whole
  }
  return {
    next: (records) => take(records.map((record) => csvLine(record as Fields, csv)).join('')),
    end: () => take(''),
  }
}

function csvLine(record: Fields, columns: readonly string[]): string {
  const cells = columns.map((column) => {
    const text = textOf(record[column] ?? '')
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${cells.join(',')}\r\n`
}

/** Aligned columns, numbers to the right. A later batch widens columns, never narrows them. */
function formatTable({ table }: Columns): Formatter {
  const widths = table.map((column) => column.length)
  let isHeaderOpen = true
  const next = (records: readonly object[]): string => {
    const rows = records.map((record) => table.map((column) => cellOf((record as Fields)[column])))
    for (const row of rows) for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, cell.length)
    const lines = isHeaderOpen ? [table.map((column) => column.toUpperCase()), ...rows] : rows
    isHeaderOpen = false
    return lines.map((row) => `${alignRow(row, widths)}\n`).join('')
  }
  return { next, end: () => (isHeaderOpen ? next([]) : '') }
}

function alignRow(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, n) => {
    const width = widths[n] ?? 0
    return /^-?[\d.]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width)
  })
  return cells.join('  ').trimEnd()
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return withoutControls(Array.isArray(value) ? listCell(value) : textOf(value))
}

/** The first element and how many follow: `64000.5 x 0.25 (+19)`. */
function listCell([first, ...others]: readonly unknown[]): string {
  if (first === undefined) return '-'
  const text = Array.isArray(first) ? first.join(' x ') : textOf(first)
  return others.length === 0 ? text : `${text} (+${others.length})`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Text from outside must not move the cursor of a terminal or change its colors. */
export function withoutControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?')
}
