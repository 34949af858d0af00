import { withoutCancellation } from '@tapeline/database/cancel'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import type { RegisteredInstrument } from './instrument.ts'
import { listInstrumentRows } from './instrument-queries.ts'

export type InstrumentCache = { list: () => Promise<readonly RegisteredInstrument[]> }

export const INSTRUMENTS_AGE_MAX_MS = 250

/** All instruments, cached for a quarter of a second and loaded by one query for all concurrent callers. */
export function createInstrumentCache(db: Kysely<Tables>): InstrumentCache {
  let loading: { startedMs: number; rows: Promise<readonly RegisteredInstrument[]> } | undefined
  return {
    list() {
      const nowMs = performance.now()
      if (loading !== undefined && nowMs - loading.startedMs < INSTRUMENTS_AGE_MAX_MS) return loading.rows
      const rows = withoutCancellation(() => listInstrumentRows(db))
      loading = { startedMs: nowMs, rows }
      rows.catch(() => (loading = undefined))
      return rows
    },
  }
}
