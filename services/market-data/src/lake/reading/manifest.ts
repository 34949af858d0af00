import { withoutCancellation } from '@tapeline/database/cancel'
import type pg from 'pg'
import type { Order } from '../../records/filter.ts'
import type { ChannelName } from '../../tables.ts'
import { listSealedFiles, type SealedFile } from '../manifest-queries.ts'
import { createWholeListings } from './whole-listings.ts'

/** Sealed days in the direction of a read. */
export type SealedDays = {
  files: readonly SealedFile[]
  /** The first day in this direction that is not listed; undefined if all days are listed. */
  unknownFrom: number | undefined
}
export type DaysQuery = {
  channel: ChannelName
  instrumentIds: readonly number[]
  fromDay: number
  order: Order
  /** Maximum number of files; at least one whole day is listed. */
  filesMax: number
  isFresh?: boolean
}
export type Manifest = { days: (query: DaysQuery) => Promise<SealedDays> }

const LISTINGS_MAX = 1_000
/**
 * Rows of a sealed day are deleted from PostgreSQL much later than this, so all rows are still found with a listing of
 * this age.
 */
const AGE_MAX_MS = 250

/** Pages of more instruments list their files together. */
const WHOLE_INSTRUMENTS_MAX = 8

/** Which days are sealed, read at most every quarter of a second for the same instruments and day. */
export function createManifest(pool: pg.Pool): Manifest {
  const wholeListings = createWholeListings(pool, AGE_MAX_MS)
  const listings = new Map<string, { startedMs: number; days: Promise<SealedDays> }>()

  async function wholeDays(query: DaysQuery): Promise<SealedDays | undefined> {
    const { channel, instrumentIds } = query
    if (instrumentIds.length > WHOLE_INSTRUMENTS_MAX) return undefined
    const whole = await Promise.all(
      instrumentIds.map((instrumentId) => wholeListings.filesOf({ channel, instrumentId })),
    )
    const files = whole.flatMap((ofOne) => (ofOne === undefined ? [] : [filesFrom(ofOne, query)]))
    if (files.length < instrumentIds.length) return undefined
    return completeDays(files.flat().toSorted(inOrder(query.order)).slice(0, limitOf(query)), query)
  }

  function listedDays(query: DaysQuery): Promise<SealedDays> {
    const { channel, instrumentIds, fromDay, order, filesMax } = query
    const key = `${channel} ${order} ${fromDay} ${filesMax} ${instrumentIds.join(',')}`
    const nowMs = performance.now()
    const cached = listings.get(key)
    if (cached !== undefined && nowMs - cached.startedMs < AGE_MAX_MS) return cached.days
    const days = withoutCancellation(() => listDays(pool, query))
    listings.delete(key)
    listings.set(key, { startedMs: nowMs, days })
    for (const [oldest] of listings) {
      if (listings.size <= LISTINGS_MAX) break
      listings.delete(oldest)
    }
    days.catch(() => listings.delete(key))
    return days
  }

  return {
    async days(query) {
      if (query.isFresh) return listDays(pool, query)
      return (await wholeDays(query)) ?? listedDays(query)
    },
  }
}

async function listDays(pool: pg.Pool, query: DaysQuery): Promise<SealedDays> {
  const { channel, instrumentIds, fromDay, order } = query
  const range = { channel, instrumentIds, fromDay, limit: limitOf(query) }
  return completeDays(await listSealedFiles(pool, range, order), query)
}

/** One more than there are instruments, so that at least one day is complete. */
function limitOf({ filesMax, instrumentIds }: DaysQuery): number {
  return Math.max(filesMax, instrumentIds.length + 1)
}

/** The files of the last day may be cut off. */
function completeDays(files: readonly SealedFile[], query: DaysQuery): SealedDays {
  const last = files.at(-1)
  if (files.length < limitOf(query) || last === undefined) return { files, unknownFrom: undefined }
  return { files: files.filter(({ day }) => day !== last.day), unknownFrom: last.day }
}

/** The first files from a day on, of one instrument's files by day. */
function filesFrom(files: readonly SealedFile[], query: DaysQuery): SealedFile[] {
  const { fromDay, order } = query
  if (order === 'asc') {
    const first = countWhile(files, ({ day }) => day < fromDay)
    return files.slice(first, first + limitOf(query))
  }
  const end = countWhile(files, ({ day }) => day <= fromDay)
  return files.slice(Math.max(0, end - limitOf(query)), end)
}

/** How many of the first elements fulfil a condition that no later one fulfils. */
function countWhile<T>(sorted: readonly T[], isMet: (element: T) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const element = sorted[middle]
    if (element !== undefined && isMet(element)) low = middle + 1
    else high = middle
  }
  return low
}

function inOrder(order: Order): (one: SealedFile, other: SealedFile) => number {
  const direction = order === 'asc' ? 1 : -1
  return (one, other) => direction * (one.day - other.day) || one.instrumentId - other.instrumentId
}
