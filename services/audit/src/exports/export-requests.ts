import type { UserActor } from '@tapeline/contracts/actor'
import type { ExportRequestsQuery } from '@tapeline/contracts/audit/export'
import type { LoggedRequest } from '@tapeline/contracts/audit/requests'
import type { Deps } from '../deps.ts'
import { listKeyNames } from '../requests/key-name-queries.ts'
import { presentRequest } from '../requests/present-request.ts'
import { readScan } from '../requests/read-scan.ts'
import type { RequestScan } from '../requests/request-queries.ts'
import { scanRequests } from '../requests/scan-requests.ts'
import { requireExport } from './require-export.ts'
import { type ExportFile, type ExportRow, writeRows } from './write-rows.ts'

const COLUMNS = [
  'time',
  'request_id',
  'method',
  'route',
  'status',
  'outcome',
  'code',
  'key_id',
  'key_name',
  'network',
  'latency_ms',
  'bytes_in',
  'bytes_out',
  'rows_returned',
] as const satisfies readonly (keyof LoggedRequest)[]
const PAGE_ROWS = 1_000
/** Maximum number of rows scanned per page when few match, which bounds the duration of a statement. */
const SCAN_MAX = 20_000

/** Streams the filtered request log, newest first. A page is read after the previous one was sent. */
export function exportRequests(deps: Deps, actor: UserActor, query: ExportRequestsQuery): ExportFile {
  requireExport(deps, actor)
  const { format = 'csv', ...filter } = query
  const scan = readScan(deps, actor, filter)
  return writeRows({ what: 'requests', format, at: deps.now(), columns: COLUMNS, pages: pagesOf(deps, scan) })
}

async function* pagesOf(deps: Deps, scan: Omit<RequestScan, 'after'>): AsyncGenerator<ExportRow[]> {
  const names = new Map<string, string>()
  let after: RequestScan['after']
  let scanMax = PAGE_ROWS
  for (;;) {
    const { rows, reached } = await scanRequests(deps, { ...scan, after }, { matchesMax: PAGE_ROWS, scanMax })
    if (rows.length < PAGE_ROWS / 2) scanMax = Math.min(SCAN_MAX, 2 * scanMax)
    const unknown = [...new Set(rows.map(({ key_id }) => key_id))].filter((keyId) => !names.has(keyId))
    for (const [keyId, name] of await listKeyNames(deps.db, scan.accountId, unknown)) names.set(keyId, name)
    yield rows.map((row) => rowOf(presentRequest(row, names.get(row.key_id))))
    const last = rows.length === PAGE_ROWS ? rows.at(-1) : undefined
    if (last !== undefined) after = { time: last.place, id: last.id }
    else if (reached !== undefined) after = reached
    else return
  }
}

function rowOf(request: LoggedRequest): ExportRow {
  return Object.fromEntries(COLUMNS.map((column) => [column, request[column]]))
}
