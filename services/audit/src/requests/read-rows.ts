import type { Deps } from '../deps.ts'
import type { Place } from '../lists/cursor.ts'
import { listRequestRows, type RequestRow, type RequestScan } from './request-queries.ts'

export type Rows = {
  rows: RequestRow[]
  /** Where the next page starts; undefined: the range was read to its end. */
  next: Place | undefined
}

/** Maximum numbers of rows that a filtered read scans, in growing steps while it finds too few. */
const LOOK_AT_STEPS = [1_000, 5_000, 20_000]

/** Reads up to `limit` rows. The scan is bounded, so a page can be short although more follow. */
export async function readRows({ db }: Pick<Deps, 'db'>, scan: RequestScan, limit: number): Promise<Rows> {
  const rows: RequestRow[] = []
  let { after } = scan
  for (const lookAt of LOOK_AT_STEPS) {
    const wanted = limit + 1 - rows.length
    const bounds = { wanted, lookAt: isUnfiltered(scan) ? wanted : Math.max(wanted, lookAt) }
    const found = await listRequestRows(db, { ...scan, after }, bounds)
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
