import { connectDatabase } from '@tapeline/database/connect'
import { fixedSettings, type PlatformSettings } from '@tapeline/service/platform-settings'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { createKnownInstruments, type KnownInstruments } from './instruments/known-instruments.ts'
import { type ClientOf, trackClients } from './store/raw-client-queries.ts'
import type { Tables } from './tables.ts'

export type Deps = {
  db: Kysely<Tables>
  /** The pool beneath `db`, for pages and COPY. */
  pool: pg.Pool
  /** The connection of a transaction of `db`, for COPY. */
  clientOf: ClientOf
  now: () => Date
  instruments: KnownInstruments
  cursorKey: Buffer
  /** Tier documents among others, as this process last heard of them. */
  settings: PlatformSettings
}

/** The pool must not have been used yet. */
export function createDeps(
  pool: pg.Pool,
  now: () => Date,
  cursorSecret: string,
  settings: PlatformSettings = fixedSettings(),
): Deps {
  const db = connectDatabase<Tables>(pool)
  return {
    db,
    pool,
    clientOf: trackClients(pool),
    now,
    instruments: createKnownInstruments(db),
    cursorKey: Buffer.from(cursorSecret),
    settings,
  }
}
