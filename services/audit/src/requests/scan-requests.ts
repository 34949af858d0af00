import { AppError } from '@tapeline/service/app-error'
import { isRequestId } from '../is-request-id.ts'
import type { Place } from '../lists/cursor.ts'
import {
  type ArchiveRow,
  listedOf,
  type ListedRequest,
  timeUsOfRow,
  uuidOf,
} from '../request-log/archive/archive-rows.ts'
import { US_PER_MS } from '../request-log/archive/archive-columns.ts'
import {
  type ArchiveDeps,
  comparePlaces,
  readArchivedRows,
  timeOf,
  timeUsOf,
} from '../request-log/archive/archived-log.ts'
import type { ArchivedRequest } from '../request-log/archive/archived-request.ts'
import { findArchived } from '../request-log/archive/find-archived.ts'
import {
  findRequest,
  type FoundRequest,
  listRequestRows,
  type ReadBounds,
  type RequestRow,
  type RequestScan,
} from './request-queries.ts'

/** `reached`: where the scan stopped before the end of the range. */
export type Scanned = { rows: RequestRow[]; reached: Place | undefined }

/**
 * The next rows of a scan, newest first, from the log and from archived days. The archive is read only for places that the read of
 * the log has passed, so recent pages do not depend on the object store.
 * @throws AppError `service.unavailable` when an archived day cannot be read and the log has no row of this scan
 */
export async function scanRequests(deps: ArchiveDeps, scan: RequestScan, bounds: ReadBounds): Promise<Scanned> {
  const logged = await listRequestRows(deps.db, scan, bounds)
  if (scan.requestId !== undefined && isRequestId(scan.requestId)) {
    return logged.rows.length > 0 ? logged : findScanned(deps, scan, scan.requestId)
  }
  const stop = stopOf(logged, bounds)
  const archived = await scanArchive(deps, scan, { ...bounds, stop }).catch((error: unknown) => {
    const last = logged.rows.at(-1)
    if (last === undefined || !(error instanceof AppError)) throw error
    // The next page begins with what could not be read.
    return { rows: [], reached: placeOf(last) }
  })
  if (archived.rows.length === 0 && archived.reached === undefined) return logged
  const reached = newest(stop, stopOf(archived, bounds))
  const byId = new Map([...archived.rows, ...logged.rows].map((row) => [row.id, row]))
  const rows = [...byId.values()].filter((row) => reached === undefined || comparePlaces(placeOf(row), reached) >= 0)
  return { rows: rows.toSorted((a, b) => comparePlaces(placeOf(b), placeOf(a))).slice(0, bounds.matchesMax), reached }
}

/** At most one request has the id, and the first page has it. */
async function findScanned(deps: ArchiveDeps, scan: RequestScan, requestId: string): Promise<Scanned> {
  if (scan.after !== undefined) return { rows: [], reached: undefined }
  const found = await findArchived(deps, scan.accountId, { requestId }, scan.from)
  const isFound = found !== undefined && isInRange(scan, found) && isMatch(scan, found)
  return { rows: isFound ? [rowOf(found)] : [], reached: undefined }
}

function isInRange({ from, to }: RequestScan, { timeUs }: ListedRequest): boolean {
  return timeUs >= from.getTime() * US_PER_MS && timeUs < to.getTime() * US_PER_MS
}

/** All matching rows down to this place were returned; undefined: to the end of the range. */
function stopOf({ rows, reached }: Scanned, { matchesMax }: ReadBounds): Place | undefined {
  const last = rows[matchesMax - 1]
  return last === undefined ? reached : placeOf(last)
}

type ArchiveBounds = ReadBounds & { stop: Place | undefined }

async function scanArchive(
  deps: ArchiveDeps,
  scan: RequestScan,
  { matchesMax, scanMax, stop }: ArchiveBounds,
): Promise<Scanned> {
  const { accountId, to, after } = scan
  const stopMs = stop === undefined ? 0 : Math.floor(timeUsOf(stop.time) / US_PER_MS)
  const from = new Date(Math.max(scan.from.getTime(), stopMs))
  const rows: RequestRow[] = []
  let scanned = 0
  for await (const found of readArchivedRows(deps, { accountId, from, to, after, order: 'newest first' })) {
    for (const one of found) {
      scanned += 1
      if (isMatch(scan, one)) rows.push(rowOf(listedOf(one)))
      if (rows.length === matchesMax || scanned === scanMax) {
        return { rows, reached: { time: timeOf(timeUsOfRow(one)), id: uuidOf(one.id) } }
      }
    }
  }
  return { rows, reached: undefined }
}

/** A request, or a row that was read with LISTED_COLUMNS. */
type Matched = ListedRequest | ArchiveRow

function requestIdOf(row: Matched): string {
  return typeof row.request_id === 'string' ? row.request_id : listedOf(row as ArchiveRow).request_id
}

/** The conditions of `fits` in request-queries.ts. */
function isMatch({ route, keyId, statuses, outcome, code, requestId }: RequestScan, row: Matched): boolean {
  const status = row.status as number
  return (
    isAnyOr(route, row.route) &&
    isAnyOr(keyId, row.key_id) &&
    isAnyOr(outcome, row.outcome) &&
    isAnyOr(code, row.code) &&
    (statuses === undefined || (status >= statuses.from && status <= statuses.to)) &&
    (requestId === undefined || requestIdOf(row).includes(requestId))
  )
}

function isAnyOr(filter: string | undefined, value: unknown): boolean {
  return filter === undefined || filter === value
}

/** A request of the account, by event id or request id, in its log or in archived days. */
export async function findLoggedRequest(
  deps: ArchiveDeps,
  accountId: string,
  id: { eventId: string } | { requestId: string },
  from: Date,
): Promise<FoundRequest | undefined> {
  const found = await findRequest(deps.db, accountId, id, from)
  if (found !== undefined) return found
  const archived = await findArchived(deps, accountId, id, from)
  return archived === undefined || archived.timeUs < from.getTime() * US_PER_MS ? undefined : foundRow(archived)
}

/** An archived request as PostgreSQL returns a logged one. */
function foundRow(request: ArchivedRequest): FoundRequest {
  const { kid, tier, gateway_id, upstream_latency_us, rejected_fields, decision } = request
  const upstream = textOf(upstream_latency_us)
  const detail = { upstream_latency_us: upstream, rejected_fields: rejected_fields ?? null, decision }
  return { ...rowOf(request), kid, tier, gateway_id, ...detail }
}

function rowOf({ timeUs, latency_us, bytes_in, bytes_out, rows_returned, ...request }: ListedRequest): RequestRow {
  return {
    ...request,
    place: timeOf(timeUs),
    time: new Date(Math.floor(timeUs / US_PER_MS)),
    latency_us: String(latency_us),
    bytes_in: String(bytes_in),
    bytes_out: String(bytes_out),
    rows_returned: textOf(rows_returned),
  }
}

function textOf(value: number | null): string | null {
  return value === null ? null : String(value)
}

function placeOf({ place, id }: RequestRow): Place {
  return { time: place, id }
}

function newest(one: Place | undefined, other: Place | undefined): Place | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return comparePlaces(one, other) > 0 ? one : other
}
