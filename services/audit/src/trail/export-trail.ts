import type { UserActor } from '@tapeline/contracts/actor'
import type { ExportTrailQuery, TrailEntry } from '@tapeline/contracts/audit/trail'
import type { Deps } from '../deps.ts'
import type { ExportFile } from '../exports/write-rows.ts'
import { listKeyNames } from '../requests/key-name-queries.ts'
import { PLATFORM_SCOPE } from '../streams/append-stream-events.ts'
import { keyIdsOf, presentEntry, scanOf } from './list-trail.ts'
import { parquetPages } from './parquet-pages.ts'
import { listEntries, type TrailScan } from './trail-queries.ts'

const PAGE_ROWS = 1_000
const DAY_CHARACTERS = 'YYYY-MM-DD'.length

/**
 * All entries of the filter, newest first, as JSON lines or Parquet: the caller's own account, or any for an admin.
 * @throws AppError when the account does not exist or the caller may not read it
 */
export function exportTrail(deps: Pick<Deps, 'db' | 'now'>, actor: UserActor, query: ExportTrailQuery): ExportFile {
  const { format = 'jsonl', ...filter } = query
  const pages = pagesOf(deps, scanOf(actor, filter))
  const name = `tapeline-audit-trail-${deps.now().toISOString().slice(0, DAY_CHARACTERS)}.${format}`
  return format === 'jsonl'
    ? { name, contentType: 'application/jsonl; charset=utf-8', body: jsonPages(pages) }
    : { name, contentType: 'application/vnd.apache.parquet', body: parquetPages(pages) }
}

async function* jsonPages(pages: AsyncIterable<readonly TrailEntry[]>): AsyncGenerator<string> {
  for await (const entries of pages) yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

async function* pagesOf({ db }: Pick<Deps, 'db'>, scan: Omit<TrailScan, 'after'>): AsyncGenerator<TrailEntry[]> {
  let after: TrailScan['after']
  for (;;) {
    const rows = await listEntries(db, { ...scan, after }, PAGE_ROWS)
    const names = scan.scope === PLATFORM_SCOPE ? new Map() : await listKeyNames(db, scan.scope, keyIdsOf(rows))
    if (rows.length > 0) yield rows.map((row) => presentEntry(row, names))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS) return
    after = { time: last.place, id: last.id }
  }
}
