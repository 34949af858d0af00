import type { Deps } from '../deps.ts'
import type { Place } from '../lists/cursor.ts'
import { listRequestRows, type RequestRow, type RequestScan } from './request-queries.ts'

export type Rows = {
  rows: RequestRow[]
  /** Where to go on; undefined: the range has been read to its end. */
  next: Place | undefined
}

/** How many of an account's rows a filtered read looks at, more each time it finds too little; then it answers with what it has. */
const LOOK_AT_STEPS = [1_000, 5_000, 20_000]

/** Up to `limit` rows. Rare ones are not looked for without end: a page may be short and yet go on. */
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
