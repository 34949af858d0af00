import type { StatementCounts, StatementLine, StatementRow } from '@tapeline/contracts/audit/statements'
import { type ArchiveDeps, readArchived, timeOf } from '../request-log/archive/archived-log.ts'
import type { ArchivedRequest } from '../request-log/archive/archived-request.ts'
import {
  type CorrectionLeaf,
  listCorrectionIds,
  listCorrectionLeaves,
  listLeafRows,
  type RowSet,
} from './closing-queries.ts'
import { hashRow } from './merkle-tree.ts'

export type HourLine = Omit<StatementLine, 'day'>
export type HourLeaves = {
  hashes: Buffer[]
  lines: HourLine[]
  found: { row: StatementRow; index: number } | undefined
}

const PAGE_ROWS = 5_000
const HOUR_MS = 3_600_000

/**
 * Hashes and sums the rows of an hour, and finds the row of a request.
 * @throws AppError `service.unavailable` when the hour is archived and cannot be read
 */
export async function readLeaves(deps: ArchiveDeps, set: RowSet, requestId?: string): Promise<HourLeaves> {
  return hashLeaves(mergedRows(deps, set), requestId)
}

/** As `readLeaves`, of an hour that cannot be archived yet. */
export async function readLoggedLeaves(db: ArchiveDeps['db'], set: RowSet): Promise<HourLeaves> {
  return hashLeaves(loggedRows(db, set))
}

/** As `readLeaves`, of corrections: they keep their leaves when their rows are past the retention. */
export async function readCorrectionLeaves(
  deps: ArchiveDeps,
  set: Required<Omit<RowSet, 'kind'>>,
): Promise<Pick<HourLeaves, 'hashes' | 'lines'>> {
  const hashes: Buffer[] = []
  const lines = new LineSums()
  for await (const corrections of pagesOf<CorrectionLeaf>((last) =>
    listCorrectionLeaves(deps.db, set, last, PAGE_ROWS),
  )) {
    for (const { leaf, line } of corrections) {
      if (leaf === null) return readLeaves(deps, { ...set, kind: 'correction' })
      hashes.push(leaf)
      const { key_id, route, ...counts } = line
      lines.add({ key_id, route }, counts)
    }
  }
  return { hashes, lines: lines.list() }
}

async function hashLeaves(pages: AsyncIterable<readonly StatementRow[]>, requestId?: string): Promise<HourLeaves> {
  const hashes: Buffer[] = []
  const lines = new LineSums()
  let found: HourLeaves['found']
  for await (const rows of pages) {
    for (const row of rows) {
      if (row.request_id === requestId) found ??= { row, index: hashes.length }
      hashes.push(hashRow(row))
      lines.add(row, countsOf(row))
    }
  }
  return { hashes, lines: lines.list(), found }
}

/** In the order of the leaves. The log is read first: a day that is archived meanwhile is then read from both, never from neither. */
async function* mergedRows(deps: ArchiveDeps, set: RowSet): AsyncGenerator<readonly StatementRow[]> {
  const rows = new Map<string, StatementRow>()
  for await (const page of loggedRows(deps.db, set)) for (const row of page) rows.set(row.id, row)
  const { accountId, hourAt, kind } = set
  const range = { accountId, from: hourAt, to: new Date(hourAt.getTime() + HOUR_MS), order: 'oldest first' as const }
  let corrections: Set<string> | undefined
  for await (const requests of readArchived(deps, range)) {
    corrections ??= await listCorrectionIds(deps.db, set)
    for (const request of requests) {
      if (corrections.has(request.id) === (kind === 'correction')) rows.set(request.id, leafRow(request))
    }
  }
  yield [...rows.values()].toSorted((a, b) => (a.time < b.time || (a.time === b.time && a.id < b.id) ? -1 : 1))
}

function loggedRows(db: ArchiveDeps['db'], set: RowSet): AsyncGenerator<readonly StatementRow[]> {
  return pagesOf((last) => listLeafRows(db, set, last, PAGE_ROWS))
}

async function* pagesOf<Row>(readAfter: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined
  for (;;) {
    const rows = await readAfter(last)
    yield rows
    last = rows.at(-1)
    if (rows.length < PAGE_ROWS) return
  }
}

function leafRow(request: ArchivedRequest): StatementRow {
  const { id, timeUs, request_id, account_id, key_id, method, route, status, outcome, decision } = request
  const { bytes_out, rows_returned } = request
  const time = timeOf(timeUs)
  const answered = { status, outcome, verdict: decision.verdict, bytes_out, rows_returned: rows_returned ?? 0 }
  return { id, time, request_id, account_id, key_id, method, route, ...answered }
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

/** A row as a line of its own. */
export function lineOf(row: StatementRow): HourLine {
  return { key_id: row.key_id, route: row.route, ...countsOf(row) }
}

function countsOf({ verdict, bytes_out, rows_returned }: StatementRow): StatementCounts {
  const is = (name: string) => (verdict === name ? 1 : 0)
  return { admitted: is('admitted'), denied: is('denied'), refused: is('refused'), bytes_out, rows_returned }
}
