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
export type DaysWanted = {
  channel: ChannelName
  instrumentIds: readonly number[]
  fromDay: number
  order: Order
  /** At most so many files; at least one whole day is listed. */
  filesMax: number
  isFresh?: boolean
}
export type Manifest = { days: (wanted: DaysWanted) => Promise<SealedDays> }

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

  async function wholeDays(wanted: DaysWanted): Promise<SealedDays | undefined> {
    const { channel, instrumentIds } = wanted
    if (instrumentIds.length > WHOLE_INSTRUMENTS_MAX) return undefined
    const whole = await Promise.all(
      instrumentIds.map((instrumentId) => wholeListings.filesOf({ channel, instrumentId })),
    )
    const files = whole.flatMap((ofOne) => (ofOne === undefined ? [] : [filesFrom(ofOne, wanted)]))
    if (files.length < instrumentIds.length) return undefined
    return knownDays(files.flat().toSorted(inOrder(wanted.order)).slice(0, limitOf(wanted)), wanted)
  }

  function listedDays(wanted: DaysWanted): Promise<SealedDays> {
    const { channel, instrumentIds, fromDay, order, filesMax } = wanted
    const key = `${channel} ${order} ${fromDay} ${filesMax} ${instrumentIds.join(',')}`
    const nowMs = performance.now()
    const known = listings.get(key)
    if (known !== undefined && nowMs - known.startedMs < AGE_MAX_MS) return known.days
    const days = withoutCancellation(() => listDays(pool, wanted))
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
    async days(wanted) {
      if (wanted.isFresh) return listDays(pool, wanted)
      return (await wholeDays(wanted)) ?? listedDays(wanted)
    },
  }
}

async function listDays(pool: pg.Pool, wanted: DaysWanted): Promise<SealedDays> {
  const { channel, instrumentIds, fromDay, order } = wanted
  const range = { channel, instrumentIds, fromDay, limit: limitOf(wanted) }
  return knownDays(await listSealedFiles(pool, range, order), wanted)
}

/** One more than there are instruments, so that at least one day is complete. */
function limitOf({ filesMax, instrumentIds }: DaysWanted): number {
  return Math.max(filesMax, instrumentIds.length + 1)
}

/** The files of the last day may be cut off. */
function knownDays(files: readonly SealedFile[], wanted: DaysWanted): SealedDays {
  const last = files.at(-1)
  if (files.length < limitOf(wanted) || last === undefined) return { files, unknownFrom: undefined }
  return { files: files.filter(({ day }) => day !== last.day), unknownFrom: last.day }
}

/** The first files from a day on, of one instrument's files by day. */
function filesFrom(files: readonly SealedFile[], wanted: DaysWanted): SealedFile[] {
  const { fromDay, order } = wanted
  if (order === 'asc') {
    const first = countWhile(files, ({ day }) => day < fromDay)
    return files.slice(first, first + limitOf(wanted))
  }
  const end = countWhile(files, ({ day }) => day <= fromDay)
  return files.slice(Math.max(0, end - limitOf(wanted)), end)
}

/** How many of the first elements fulfil a condition that no later one fulfils. */
function countWhile<T>(sorted: readonly T[], holds: (element: T) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const element = sorted[middle]
    if (element !== undefined && holds(element)) low = middle + 1
    else high = middle
  }
  return low
}

function inOrder(order: Order): (one: SealedFile, other: SealedFile) => number {
  const direction = order === 'asc' ? 1 : -1
  return (one, other) => direction * (one.day - other.day) || one.instrumentId - other.instrumentId
}
