import type { UserActor } from '@tapeline/contracts/actor'
import type { ListRequestsQuery, RequestPage } from '@tapeline/contracts/audit/requests'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { readAsOf } from '../reports/read-as-of.ts'
import { readCursor, signCursor, type Place } from '../lists/cursor.ts'
import { listKeyNames } from './key-name-queries.ts'
import { presentRequest } from './present-request.ts'
import { readScan, retainedFrom } from './read-scan.ts'
import type { RequestRow, RequestScan } from './request-queries.ts'
import { scanRequests } from './scan-requests.ts'

const CALL = 'requests'

/** A page of the account's counted requests, newest first, including refused and denied ones. */
export async function listRequests(deps: Deps, actor: UserActor, query: ListRequestsQuery): Promise<RequestPage> {
  const { filter, limit, after } = readCursor(deps, CALL, query)
  const asOf = await readAsOf(deps, new Date(0))
  const { rows, next } = await readRows(deps, { ...readScan(deps, actor, filter), after }, limit)
  const keyIds = [...new Set(rows.map(({ key_id }) => key_id))]
  const names = await listKeyNames(deps.db, actor.userId, keyIds)
  return {
    requests: rows.map((row) => presentRequest(row, names.get(row.key_id))),
    next_cursor: next === undefined ? null : signCursor(deps.cursorKey, CALL, filter, next),
    kept_from: retainedFrom(deps, actor).toISOString(),
    as_of: asOf.toISOString(),
  }
}

type Rows = {
  rows: RequestRow[]
  /** Where the next page starts; undefined: the range was read to its end. */
  next: Place | undefined
}

/** Maximum numbers of rows that a filtered read scans, in growing steps while it finds too few. */
const SCAN_STEPS = [1_000, 5_000, 20_000]

/** Reads up to `limit` rows. The scan is bounded, so a page can be short although more follow. */
async function readRows(deps: Pick<Deps, 'db' | 'store'>, scan: RequestScan, limit: number): Promise<Rows> {
  const rows: RequestRow[] = []
  let { after } = scan
  for (const scanMax of SCAN_STEPS) {
    const matchesMax = limit + 1 - rows.length
    const bounds = { matchesMax, scanMax: isUnfiltered(scan) ? matchesMax : Math.max(matchesMax, scanMax) }
    const found = await scanRequests(deps, { ...scan, after }, bounds).catch((error: unknown) => {
      if (rows.length === 0 || !(error instanceof AppError)) throw error
      return undefined
    })
    // The rows that follow cannot be read; the request for the next page reports why.
    if (found === undefined) return { rows, next: after }
    rows.push(...found.rows)
    const last = rows[limit - 1]
    if (rows.length > limit && last !== undefined) return { rows: rows.slice(0, limit), next: placeOf(last) }
    if (found.reached === undefined) return { rows, next: undefined }
    after = found.reached
  }
  return { rows, next: after }
}

function isUnfiltered({ route, keyId, statuses, outcome, code, requestId }: RequestScan): boolean {
  return [route, keyId, statuses, outcome, code, requestId].every((part) => part === undefined)
}

function placeOf({ place, id }: RequestRow): Place {
  return { time: place, id }
}
