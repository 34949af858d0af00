import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../../deps.ts'
import type { Place } from '../../lists/cursor.ts'
import { US_PER_MS } from './archive-columns.ts'
import { type ArchiveRow, requestOf, timeUsOfRow, uuidOf } from './archive-rows.ts'
import { type ArchiveFile, findAccountNumber, listArchiveFiles } from './archive-queries.ts'
import type { ArchivedRequest } from './archived-request.ts'
import { readListedRows, readRowGroup, readRowGroups, type RowGroup } from './read-archive.ts'

export type ArchiveDeps = Pick<Deps, 'db'> & { store?: Deps['store'] }
export type ArchivedRange = {
  accountId: string
  from: Date
  /** Exclusive. */
  to: Date
  /** Returns only requests after this one, in the given order. */
  after?: Place | undefined
  order: 'newest first' | 'oldest first'
}
type Bounds = { fromUs: number; toUs: number; after: { timeUs: number; id: string } | undefined }

const RETRY_AFTER_S = 5

/**
 * An account's requests of archived days, a row group at a time. A day belongs to the archive once its rows have left the
 * log: a caller who reads the log first misses no request, but may read some from both.
 * @throws AppError `service.unavailable` when a file cannot be read
 */
export async function* readArchived(deps: ArchiveDeps, range: ArchivedRange): AsyncGenerator<ArchivedRequest[]> {
  for await (const rows of readRows(deps, range, readRowGroup)) yield rows.map(requestOf)
}

/** As `readArchived`, with rows for `listedOf`. */
export function readArchivedRows(deps: ArchiveDeps, range: ArchivedRange): AsyncGenerator<readonly ArchiveRow[]> {
  return readRows(deps, range, readListedRows)
}

async function* readRows(
  { db, store }: ArchiveDeps,
  range: ArchivedRange,
  readGroup: typeof readListedRows,
): AsyncGenerator<readonly ArchiveRow[]> {
  const account = await findAccountNumber(db, range.accountId)
  if (account === undefined) return
  const bounds = boundsOf(range)
  const files = await listArchiveFiles(db, { account, from: dateOf(bounds.fromUs), to: dateOf(bounds.toUs) })
  for (const file of inOrder(range, files)) {
    for (const group of inOrder(range, await orUnavailable(file, readRowGroups(requireStore(store, file), file)))) {
      if (!mayContain(group, account, bounds)) continue
      const rows = await orUnavailable(file, readGroup(requireStore(store, file), file, group))
      const found = rows.filter((row) => row.account === account && isWithin(row, bounds, range.order))
      if (found.length > 0) yield inOrder(range, found)
    }
  }
}

/** A time in microseconds since 1970, of RFC 3339 or PostgreSQL's text form. */
export function timeUsOf(time: string): number {
  const digits = /\.(\d{1,6})/.exec(time)?.[1] ?? ''
  const wholeMs = Math.floor(Date.parse(time.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')) / US_PER_MS) * US_PER_MS
  return wholeMs * US_PER_MS + Number(digits.padEnd(6, '0'))
}

/** RFC 3339 with microseconds. */
export function timeOf(timeUs: number): string {
  const us = String(timeUs % US_PER_MS).padStart(3, '0')
  return dateOf(timeUs).toISOString().replace('Z', `${us}Z`)
}

/** Order by time, then by id, as in PostgreSQL. */
export function comparePlaces(a: Place, b: Place): number {
  return timeUsOf(a.time) - timeUsOf(b.time) || (a.id < b.id ? -1 : Number(a.id > b.id))
}

function dateOf(timeUs: number): Date {
  return new Date(Math.floor(timeUs / US_PER_MS))
}

function inOrder<T>({ order }: ArchivedRange, list: readonly T[]): readonly T[] {
  return order === 'oldest first' ? list : list.toReversed()
}

function boundsOf({ from, to, after, order }: ArchivedRange): Bounds {
  const place = after === undefined ? undefined : { timeUs: timeUsOf(after.time), id: after.id }
  const [fromUs, toUs] = [from.getTime() * US_PER_MS, to.getTime() * US_PER_MS]
  if (place === undefined) return { fromUs, toUs, after: place }
  if (order === 'oldest first') return { fromUs: Math.max(fromUs, place.timeUs), toUs, after: place }
  return { fromUs, toUs: Math.min(toUs, place.timeUs + 1), after: place }
}

function mayContain(group: RowGroup, account: number, { fromUs, toUs }: Bounds): boolean {
  if (account < group.firstAccount || account > group.lastAccount) return false
  return (group.lastMs + 1) * US_PER_MS > fromUs && group.firstMs * US_PER_MS < toUs
}

function isWithin(row: ArchiveRow, { fromUs, toUs, after }: Bounds, order: ArchivedRange['order']): boolean {
  const timeUs = timeUsOfRow(row)
  if (timeUs < fromUs || timeUs >= toUs) return false
  if (after === undefined || timeUs !== after.timeUs) return true
  const id = uuidOf(row.id)
  return order === 'oldest first' ? id > after.id : id < after.id
}

/** @throws AppError `service.unavailable` without a store */
export function requireStore(store: Deps['store'], { day }: ArchiveFile) {
  if (store === undefined) throw unavailable(day, new Error('LAKE_URL is not set'))
  return store
}

/** @throws AppError `service.unavailable` when reading the file fails */
export async function orUnavailable<T>({ day }: ArchiveFile, reading: Promise<T>): Promise<T> {
  return reading.catch((cause: unknown) => {
    throw unavailable(day, cause)
  })
}

/** Days that are still in the log are not affected. */
function unavailable(day: string, cause: unknown): AppError {
  const message = `Requests of ${day} cannot be read at the moment. Retry in ${RETRY_AFTER_S} s.`
  return new AppError('service.unavailable', message, { cause, retryAfterSeconds: RETRY_AFTER_S, isPartial: true })
}
