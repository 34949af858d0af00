import type { DataFile } from '@tapeline/contracts/market-data/files'
import type { CoverageLine } from '../calendar/coverage-days.ts'
import type { DownloadsFilter } from '../downloads-filter.ts'
import type { BookGap } from '../../../api/book-gaps.queries.ts'

export type ListedFile = DataFile & { gaps: readonly BookGap[] }
export type Totals = { files: number; rows: number; bytes: number }

/** Files of the chosen days, each once, the newest day first. */
export function listedFiles(lines: readonly CoverageLine[], { from, to }: DownloadsFilter): ListedFile[] {
  const files = new Map<string, ListedFile>()
  for (const { date, file, gaps } of lines.flatMap(({ days }) => days)) {
    const isChosen = (from === undefined || date >= from) && (to === undefined || date <= to)
    if (file === undefined || !isChosen) continue
    const listed = files.get(file.id)
    files.set(file.id, { ...file, gaps: [...new Set([...(listed?.gaps ?? []), ...gaps])] })
  }
  return [...files.values()].toSorted((a, b) => (a.date === b.date ? orderOf(a, b) : a.date < b.date ? 1 : -1))
}

export function totalsOf(files: readonly DataFile[]): Totals {
  return files.reduce(
    (sum, { rows, bytes }) => ({ files: sum.files + 1, rows: sum.rows + rows, bytes: sum.bytes + bytes }),
    { files: 0, rows: 0, bytes: 0 },
  )
}

/** Trades before books. */
function orderOf(a: DataFile, b: DataFile): number {
  return a.channel === b.channel ? 0 : a.channel === 'trades' ? -1 : 1
}
