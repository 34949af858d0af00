import { withoutCancellation } from '@tapeline/database/cancel'
import type pg from 'pg'
import type { Order } from '../../records/filter.ts'
import type { ChannelName } from '../../tables.ts'
import { listSealedFiles, type SealedFile } from '../manifest-queries.ts'

/** Sealed days in the direction of a read. */
export type SealedDays = {
  files: readonly SealedFile[]
  /** The first day in this direction of which nothing is known; undefined when all are listed. */
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
/** Rows of a sealed day leave PostgreSQL much later than this, so a listing that old still leads to all rows. */
const AGE_MAX_MS = 250

/** Which days are sealed, read at most every quarter of a second for the same instruments and day. */
export function createManifest(pool: pg.Pool): Manifest {
  const listings = new Map<string, { startedMs: number; days: Promise<SealedDays> }>()
  return {
    days(wanted) {
      const { channel, instrumentIds, fromDay, order, filesMax, isFresh = false } = wanted
      if (isFresh) return listDays(pool, wanted)
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
    },
  }
}

async function listDays(pool: pg.Pool, { order, ...wanted }: DaysWanted): Promise<SealedDays> {
  const limit = Math.max(wanted.filesMax, wanted.instrumentIds.length + 1)
  const files = await listSealedFiles(pool, { ...wanted, limit }, order)
  const last = files.at(-1)
  if (files.length < limit || last === undefined) return { files, unknownFrom: undefined }
  return { files: files.filter(({ day }) => day !== last.day), unknownFrom: last.day }
}
