import { withoutCancellation } from '@tapeline/database/cancel'
import type pg from 'pg'
import type { ChannelName } from '../../tables.ts'
import { digestSealedFiles, listAllSealedFiles, type SealedFile } from '../manifest-queries.ts'

type Series = { channel: ChannelName; instrumentId: number }
/** `files` is undefined if there are too many. */
type Listing = { digest: string; files: readonly SealedFile[] | undefined }
type Entry = { times: number[]; checkedMs: number; listing: Promise<Listing> | undefined }

/**
 * All current files of instruments that are read often, by day. A page at a random place then needs no query:
 * a digest of the manifest is compared once per `ageMaxMs`, and the files are listed again when it differs.
 */
export type WholeListings = {
  /** The files by day; undefined if the instrument is read seldom or has too many. */
  filesOf: (series: Series) => Promise<readonly SealedFile[] | undefined>
}

/** Reads within this time for an instrument to be listed completely. */
const READS_MIN = 8
const WITHIN_MS = 1_000
/** A file takes about 700 bytes of memory. */
const FILES_MAX = 4_096
const SERIES_MAX = 32

export function createWholeListings(pool: pg.Pool, ageMaxMs: number): WholeListings {
  const entries = new Map<string, Entry>()

  function entryOf({ channel, instrumentId }: Series): Entry {
    const key = `${channel} ${instrumentId}`
    const entry = entries.get(key) ?? { times: [], checkedMs: 0, listing: undefined }
    entries.delete(key)
    entries.set(key, entry)
    for (const [oldest] of entries) {
      if (entries.size <= SERIES_MAX) break
      entries.delete(oldest)
    }
    return entry
  }

  async function refresh(series: Series, previous: Promise<Listing> | undefined): Promise<Listing> {
    // Taken before the files: a change between the two is found by the next comparison.
    const digest = await digestSealedFiles(pool, series)
    const listing = await previous?.catch(() => undefined)
    if (listing?.digest === digest) return listing
    return { digest, files: await listAllSealedFiles(pool, { ...series, limit: FILES_MAX }) }
  }

  return {
    async filesOf(series) {
      const entry = entryOf(series)
      const nowMs = performance.now()
      entry.times = [...entry.times.slice(1 - READS_MIN), nowMs]
      if (entry.listing === undefined || nowMs - entry.checkedMs >= ageMaxMs) {
        const isBusy = entry.times.length === READS_MIN && nowMs - (entry.times[0] ?? 0) < WITHIN_MS
        if (!isBusy) return undefined
        const listing = withoutCancellation(() => refresh(series, entry.listing))
        entry.checkedMs = nowMs
        entry.listing = listing
        listing.catch(() => entry.listing === listing && (entry.listing = undefined))
      }
      return (await entry.listing).files
    },
  }
}
