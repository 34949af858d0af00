import type { StatementCounts, StatementLine, StatementRow } from '@tapeline/contracts/audit/statements'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { listLeafRows, type RowSet } from './closing-queries.ts'
import { hashRow } from './merkle-tree.ts'

export type HourLine = Omit<StatementLine, 'day'>
export type HourLeaves = {
  hashes: Buffer[]
  lines: HourLine[]
  found: { row: StatementRow; index: number } | undefined
}

const PAGE_ROWS = 5_000

/** Hashes and sums the rows of an hour, and finds the row of a request. */
export async function readLeaves(db: Kysely<Tables>, set: RowSet, requestId?: string): Promise<HourLeaves> {
  const hashes: Buffer[] = []
  const lines = new LineSums()
  let found: HourLeaves['found']
  let last: StatementRow | undefined
  for (;;) {
    const rows = await listLeafRows(db, set, last, PAGE_ROWS)
    for (const row of rows) {
      if (row.request_id === requestId) found ??= { row, index: hashes.length }
      hashes.push(hashRow(row))
      lines.add(row, countsOf(row))
    }
    last = rows.at(-1)
    if (rows.length < PAGE_ROWS) return { hashes, lines: lines.list(), found }
  }
}

/** Sums of counts by key and route. */
export class LineSums {
  readonly #lines = new Map<string, HourLine>()

  add({ key_id, route }: { key_id: string; route: string }, counts: StatementCounts): void {
    const name = JSON.stringify([key_id, route])
    const line = this.#lines.get(name)
    if (line === undefined) this.#lines.set(name, { key_id, route, ...counts })
    else addCounts(line, counts)
  }

  list(): HourLine[] {
    return [...this.#lines.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
  }
}

export const NO_COUNTS: StatementCounts = { admitted: 0, denied: 0, refused: 0, bytes_out: 0, rows_returned: 0 }

export function addCounts(sum: StatementCounts, more: StatementCounts): void {
  sum.admitted += more.admitted
  sum.denied += more.denied
  sum.refused += more.refused
  sum.bytes_out += more.bytes_out
  sum.rows_returned += more.rows_returned
}

function countsOf({ verdict, bytes_out, rows_returned }: StatementRow): StatementCounts {
  const is = (name: string) => (verdict === name ? 1 : 0)
  return { admitted: is('admitted'), denied: is('denied'), refused: is('refused'), bytes_out, rows_returned }
}
