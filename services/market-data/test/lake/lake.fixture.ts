import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { createDeps, type Deps } from '../../src/deps.ts'
import { folderStore } from '@tapeline/objects/folder-store'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { createInstrumentCache } from '../../src/instruments/instrument-cache.ts'
import { dropSealedDays } from '../../src/lake/sealing/drop-sealed-days.ts'
import { sealDay } from '../../src/lake/sealing/seal-day.ts'
import { migrations } from '../../src/migrations/all.ts'
import type { ChannelName, Tables } from '../../src/tables.ts'

export const CURSOR_SECRET = 'a secret of at least 32 characters'

export type TestLake = {
  database: TestDatabase<Tables>
  deps: Deps
  folder: string
  /** Seals a day and optionally deletes its rows from PostgreSQL. */
  seal: (day: SealedDay) => Promise<void>
  close: () => Promise<void>
}
type SealedDay = { instrumentId: number; day: number; channel?: ChannelName; isDropped?: boolean }

/** A database and a lake in a temporary folder. */
export async function openTestLake(
  now: () => Date = () => new Date('2024-09-01T00:00:00Z'),
  wrap: (store: ObjectStore) => ObjectStore = (store) => store,
): Promise<TestLake> {
  const database = await openTestDatabase<Tables>(migrations)
  const folder = await mkdtemp(join(tmpdir(), 'tapeline-lake-'))
  const created = createDeps(database.pool, now, CURSOR_SECRET, { store: wrap(folderStore(folder)) })
  // Without the quarter of a second for which a service keeps them: a test stores records and needs their number.
  const deps = { ...created, instruments: { list: () => createInstrumentCache(created.db).list() } }
  return {
    database,
    deps,
    folder,
    async seal({ instrumentId, day, channel = 'trade', isDropped = false }) {
      await sealDay(deps, { instrumentId, channel, day })
      if (isDropped) await dropSealedDays(deps, 0)
    },
    async close() {
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
