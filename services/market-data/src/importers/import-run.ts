import type { Kysely } from 'kysely'
import type { Stores } from '../lake/reading/list-stored-rows.ts'
import { storeWithLake } from '../lake/sealing/store-late-data.ts'
import type { RecordBatch } from '../store/record.ts'
import type { Tables } from '../tables.ts'

export type Progress = { advance: (bytesRead: number, rows: number) => void }
export type ImportDeps = Stores & { db: Kysely<Tables>; progress: Progress }

export type ImportResult = {
  file: string
  /** One line per thing that was found, ready to be read. */
  lines: string[]
  found: number
  added: number
}

/** Rows that are stored in one transaction. */
const BATCH_ROWS = 20_000

/** Collects records of one instrument and stores them in portions; `flush` before the counts are used. */
export function createWriter(stores: Stores) {
  let batch: {
    instrumentId: number
    trades: RecordBatch['trades'][number][]
    l2Events: RecordBatch['l2Events'][number][]
  }
  const empty = (instrumentId: number) => ({ instrumentId, trades: [], l2Events: [] })
  batch = empty(0)
  const added = { trades: 0, l2Events: 0 }

  async function flush(): Promise<void> {
    if (batch.trades.length + batch.l2Events.length === 0) return
    const stored = await storeWithLake(stores, [batch])
    added.trades += stored.trades
    added.l2Events += stored.l2Events
    batch = empty(batch.instrumentId)
  }
  return {
    added,
    flush,
    async write({ instrumentId, trades, l2Events }: RecordBatch): Promise<void> {
      if (instrumentId !== batch.instrumentId) {
        await flush()
        batch = empty(instrumentId)
      }
      batch.trades.push(...trades)
      batch.l2Events.push(...l2Events)
      if (batch.trades.length + batch.l2Events.length >= BATCH_ROWS) await flush()
    },
  }
}
export type Writer = ReturnType<typeof createWriter>

export function describeAdded(what: string, found: number, added: number): string {
  const known = found - added
  const rest = known === 0 ? '' : `, ${count(known)} were there already`
  return `${count(found)} ${what}: ${count(added)} added${rest}`
}

export function count(value: number): string {
  return value.toLocaleString('en-US')
}
