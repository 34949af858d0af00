import type { UserActor } from '@tapeline/contracts/actor'
import type { ExportTrailQuery } from '@tapeline/contracts/audit/trail'
import type { Deps } from '../deps.ts'
import type { ExportFile } from '../exports/write-rows.ts'
import { listKeyNames } from '../requests/key-name-queries.ts'
import { PLATFORM_SCOPE } from '../streams/append-stream-events.ts'
import { keyIdsOf, presentEntry, scanOf } from './list-trail.ts'
import { listEntries, type TrailScan } from './trail-queries.ts'

const PAGE_ROWS = 1_000
const DAY_CHARACTERS = 'YYYY-MM-DD'.length

/**
 * All entries of the filter, newest first, one JSON object per line: the caller's own account, or any for an admin.
 * @throws AppError when the account does not exist or the caller may not read it
 */
export function exportTrail(deps: Pick<Deps, 'db' | 'now'>, actor: UserActor, query: ExportTrailQuery): ExportFile {
  return {
    name: `tapeline-audit-trail-${deps.now().toISOString().slice(0, DAY_CHARACTERS)}.jsonl`,
    contentType: 'application/jsonl; charset=utf-8',
    body: pagesOf(deps, scanOf(actor, query)),
  }
}

async function* pagesOf({ db }: Pick<Deps, 'db'>, scan: Omit<TrailScan, 'after'>): AsyncGenerator<string> {
  let after: TrailScan['after']
  for (;;) {
    const rows = await listEntries(db, { ...scan, after }, PAGE_ROWS)
    const names = scan.scope === PLATFORM_SCOPE ? new Map() : await listKeyNames(db, scan.scope, keyIdsOf(rows))
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(presentEntry(row, names))}\n`).join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS) return
    after = { time: last.place, id: last.id }
  }
}
