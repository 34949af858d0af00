import { connectDatabase } from '@tapeline/database/connect'
import { fixedSettings, type PlatformSettings } from '@tapeline/service/platform-settings'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { createInstrumentCache, type InstrumentCache } from './instruments/instrument-cache.ts'
import { createLake, type Lake } from './lake/lake.ts'
import { createManifest } from './lake/reading/manifest.ts'
import { openStore } from '@tapeline/objects/open-store'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { type ClientOf, trackClients } from './store/raw-client-queries.ts'
import type { Tables } from './tables.ts'

export type Deps = {
  db: Kysely<Tables>
  /** The connection pool of `db`, for pages and COPY. */
  pool: pg.Pool
  /** The connection of a transaction of `db`, for COPY. */
  clientOf: ClientOf
  now: () => Date
  instruments: InstrumentCache
  /** The sealed days. */
  lake: Lake
  cursorKey: Buffer
  /** Tier documents and settings, as this process last loaded them. */
  settings: PlatformSettings
}

export type DepsOptions = { settings?: PlatformSettings; store?: ObjectStore; lakeMemoryBytes?: number }

const WITHOUT_LAKE = { LAKE_URL: '', LAKE_ACCESS_KEY_ID: '', LAKE_SECRET_ACCESS_KEY: '' }
const LAKE_MEMORY_BYTES = 96 * 1024 * 1024

/** The pool must not have been used yet. */
export function createDeps(
  pool: pg.Pool,
  now: () => Date,
  cursorSecret: string,
  {
    settings = fixedSettings(),
    store = openStore(WITHOUT_LAKE),
    lakeMemoryBytes = LAKE_MEMORY_BYTES,
  }: DepsOptions = {},
): Deps {
  const db = connectDatabase<Tables>(pool)
  return {
    db,
    pool,
    clientOf: trackClients(pool),
    now,
    instruments: createInstrumentCache(db),
    lake: createLake(pool, store, lakeMemoryBytes),
    cursorKey: Buffer.from(cursorSecret),
    settings,
  }
}

/** The same dependencies on the connections of another pool, which must not have been used yet. */
export function onPool(deps: Deps, pool: pg.Pool): Deps {
  const db = connectDatabase<Tables>(pool)
  return {
    ...deps,
    db,
    pool,
    clientOf: trackClients(pool),
    instruments: createInstrumentCache(db),
    lake: { ...deps.lake, manifest: createManifest(pool) },
  }
}
