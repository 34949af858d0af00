import type { ExportRow } from '../exports/write-rows.ts'

export type PdfTable = { title: string; subtitle: string; columns: readonly string[]; rows: readonly ExportRow[] }

/** A4 landscape, in points. */
const PAGE = { width: 842, height: 595, margin: 36 }
const FONT_POINTS = 7
/** Width of a character of Courier, the same share of the font's size for all. */
const CHARACTER_WIDTH = 0.6 * FONT_POINTS
const LINE_POINTS = 11
const TITLE_POINTS = 14
const TABLE_TOP = PAGE.height - PAGE.margin - 48
const ROWS_PER_PAGE = Math.floor((TABLE_TOP - PAGE.margin) / LINE_POINTS) - 2
const GAP_CHARACTERS = 2
const CELL_CHARACTERS_MAX = 38
const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/
const OUTSIDE_LATIN_1 = /[\u{100}-\u{10ffff}]/gu

/** A table as PDF 1.4 with the standard fonts: characters outside of Latin-1 are shown as `?`. */
export function reportPdf(table: PdfTable): Buffer {
  const cells = table.rows.map((row) => table.columns.map((column) => cellOf(row[column] ?? null)))
  const widths = table.columns.map((name, n) => Math.max(name.length, ...cells.map((row) => row[n]?.length ?? 0)))
  const pages = Math.max(1, Math.ceil(cells.length / ROWS_PER_PAGE))
  const contents = Array.from({ length: pages }, (_, n) => {
    const shown = cells.slice(n * ROWS_PER_PAGE, (n + 1) * ROWS_PER_PAGE)
    const place = `${table.subtitle}${pages > 1 ? `, page ${n + 1} of ${pages}` : ''}`
    return pageContent({ title: table.title, place, widths, lines: [[...table.columns], ...shown] })
  })
  return assemble(contents)
}

function cellOf(value: ExportRow[string] | null): string {
  const text = value === null ? '' : String(value)
  return text.replace(MOMENT, '$1 $2').slice(0, CELL_CHARACTERS_MAX)
}

type PageText = { title: string; place: string; widths: readonly number[]; lines: string[][] }

function pageContent({ title, place, widths, lines }: PageText): string {
  const [left, top] = [PAGE.margin, PAGE.height - PAGE.margin]
  const texts = [
    show('Bold', TITLE_POINTS, { x: left, y: top - TITLE_POINTS, text: title }),
    show('Mono', FONT_POINTS + 1, { x: left, y: top - 2 * TITLE_POINTS - 2, text: place }),
  ]
  for (const [index, line] of lines.entries()) {
    const y = TABLE_TOP - index * LINE_POINTS - (index > 0 ? LINE_POINTS / 2 : 0)
    let x = left
    for (const [n, cell] of line.entries()) {
      const width = widths[n] ?? 0
      const padded = isNumber(lines[1]?.[n]) ? cell.padStart(width) : cell
      texts.push(show('Mono', FONT_POINTS, { x, y, text: padded }))
      x += (width + GAP_CHARACTERS) * CHARACTER_WIDTH
    }
  }
  const rule = TABLE_TOP - LINE_POINTS / 2
  return `${texts.join('\n')}\n0.6 w ${left} ${rule} m ${PAGE.width - left} ${rule} l S`
}

function isNumber(cell: string | undefined): boolean {
  return cell !== undefined && /^-?\d+(\.\d+)?$/.test(cell)
}

function show(font: 'Bold' | 'Mono', size: number, { x, y, text }: { x: number; y: number; text: string }): string {
  const bytes = Buffer.from(text.replaceAll(OUTSIDE_LATIN_1, '?'), 'latin1')
  return `BT /${font} ${size} Tf ${x.toFixed(2)} ${y.toFixed(2)} Td <${bytes.toString('hex')}> Tj ET`
}

const CATALOG = 1
const PAGES = 2
const FONTS = [3, 4] as const
const FIRST_PAGE = 5

/** Objects, their table of offsets, and the trailer (ISO 32000-1, 7.5). */
function assemble(contents: readonly string[]): Buffer {
  const pageIds = contents.map((_, n) => FIRST_PAGE + 2 * n)
  const box = `[0 0 ${PAGE.width} ${PAGE.height}]`
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  const objects = [
    `<< /Type /Catalog /Pages ${PAGES} 0 R >>`,
    `<< /Type /Pages /Count ${pageIds.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`,
    font('Helvetica-Bold'),
    font('Courier'),
    ...contents.flatMap((content, n) => [
      `<< /Type /Page /Parent ${PAGES} 0 R /MediaBox ${box} /Contents ${FIRST_PAGE + 2 * n + 1} 0 R ` +
        `/Resources << /Font << /Bold ${FONTS[0]} 0 R /Mono ${FONTS[1]} 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, n) => {
    const offset = file.length
    file += `${n + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root ${CATALOG} 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1')
}
