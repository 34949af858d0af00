export type Cell = string | number | null

const NEEDS_QUOTES = /[",\r\n]/
/** A spreadsheet would interpret such text as a formula. */
const LOOKS_LIKE_FORMULA = /^[=+\-@\t\r]/

/** One record of RFC 4180, with its line break. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = LOOKS_LIKE_FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
