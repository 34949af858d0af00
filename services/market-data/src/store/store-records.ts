import type pg from 'pg'
import { reopenBook } from '../book/position-queries.ts'
import { compareNanoseconds, dayOf } from '../nanoseconds.ts'
import { inTransaction } from '../lake/in-transaction.ts'
import { supersedeChangedDays } from '../lake/sealing/late-data-queries.ts'
import type { ChannelName } from '../tables.ts'
import { copyL2Events, copyTrades, createStaging } from './copy-queries.ts'
import { createPartition, isDroppedMeanwhile, listMissingDays } from './partition-queries.ts'
import type { RecordBatch } from './record.ts'
import { SealedDayChanged } from './sealed-day-changed.ts'
import {
  insertStagedL2Events,
  insertStagedTrades,
  limitWaits,
  lockChannel,
  markStored,
  type StagedRange,
} from './store-queries.ts'

export type Stored = { trades: number; l2Events: number }
export type Work = (client: pg.ClientBase) => Promise<Stored>
export type StoreOptions = {
  /**
   * The batches of an instrument arrive in time order and from one source only, so the covered time no longer changes.
   */
  isOrdered: boolean
  /** Called inside the transaction for each channel that got new rows. */
  onStored?: ((stored: StoredSequences) => void) | undefined
  /** By instrument: time (ns) of a later event from which on its book does not depend on the new ones. */
  nextOpenings?: ReadonlyMap<number, string>
}
/** New rows of a channel: the sequences after `after`, with times (ns) between `from` and `to`. */
export type StoredSequences = {
  channel: ChannelName
  instrumentId: number
  after: number
  through: number
  from: string
  to: string
}

/** Creates the daily partitions of these batches, before the transaction that fills them. */
export async function ensurePartitions(pool: pg.Pool, batches: readonly RecordBatch[]): Promise<void> {
  await ensureDays(
    pool,
    'trade',
    batches.flatMap(({ trades }) => trades),
  )
  await ensureDays(
    pool,
    'l2_event',
    batches.flatMap(({ l2Events }) => l2Events),
  )
}

async function ensureDays(pool: pg.Pool, channel: ChannelName, records: readonly { tsEvent: string }[]): Promise<void> {
  const days = [...new Set(records.map(({ tsEvent }) => dayOf(tsEvent)))]
  if (days.length === 0) return
  const missing = await listMissingDays(pool, channel, days)
  if (missing.length === 0) return
  const client = await pool.connect()
  try {
    for (const day of missing) await createPartition(client, channel, day)
  } finally {
    client.release()
  }
}

/**
 * Creates the partitions and opens a separate transaction. A day that is dropped between the two is created again,
 * once; so `work` may run twice; the first run is then rolled back.
 */
export async function storeAtOnce(
  pool: pg.Pool,
  batches: readonly RecordBatch[],
  work: Work = (client) => storeRecords(client, batches, { isOrdered: false }),
): Promise<Stored> {
  try {
    return await storeOnce(pool, batches, work)
  } catch (error) {
    if (!isDroppedMeanwhile(error)) throw error
    return storeOnce(pool, batches, work)
  }
}

async function storeOnce(pool: pg.Pool, batches: readonly RecordBatch[], work: Work): Promise<Stored> {
  await ensurePartitions(pool, batches)
  return inTransaction(pool, work)
}

/**
 * Stores new records, inside the caller's transaction. Rows that are already stored (same instrument, time and source
 * id) change nothing; new ones get the next sequences of their channel, whose row stays locked until the commit.
 */
export async function storeRecords(
  client: pg.ClientBase,
  batches: readonly RecordBatch[],
  { isOrdered, onStored, nextOpenings }: StoreOptions,
): Promise<Stored> {
  const stored: Stored = { trades: 0, l2Events: 0 }
  await limitWaits(client)
  await createStaging(client)
  await copyTrades(client, batches)
  await copyL2Events(client, batches)
  for (const batch of batches.toSorted((one, other) => one.instrumentId - other.instrumentId)) {
    const through = isOrdered ? latestOf([...batch.trades, ...batch.l2Events]) : undefined
    const work = { batch, through, onStored, nextOpening: nextOpenings?.get(batch.instrumentId) }
    stored.trades += await storeChannel(client, { ...work, channel: 'trade', records: batch.trades })
    stored.l2Events += await storeChannel(client, { ...work, channel: 'l2_event', records: batch.l2Events })
  }
  return stored
}

type ChannelWork = {
  batch: RecordBatch
  channel: ChannelName
  records: readonly { tsEvent: string }[]
  through: string | undefined
  onStored: StoreOptions['onStored']
  nextOpening: string | undefined
}

async function storeChannel(client: pg.ClientBase, work: ChannelWork): Promise<number> {
  const { batch, channel, records, through, onStored, nextOpening } = work
  const { instrumentId } = batch
  if (records.length === 0 && through === undefined) return 0
  const before = await lockChannel(client, instrumentId, channel)
  if (before === undefined) throw new Error(`instrument ${instrumentId} is not registered`)
  const [first, last] = [earliestOf(records), latestOf(records)]
  const { inserted, epochs } =
    first === undefined || last === undefined
      ? NOTHING
      : await insertStaged(client, channel, { instrumentId, first, last, before, nextOpening })
  await markStored(client, { instrumentId, first, last, channel, rows: inserted, epochs, through })
  if (inserted > 0 && first !== undefined && last !== undefined) {
    const after = Number(before.lastSequence)
    onStored?.({ channel, instrumentId, after, through: after + inserted, from: first, to: last })
  }
  return inserted
}

const NOTHING = { inserted: 0, epochs: 0 }

type NewRows = StagedRange & { nextOpening: string | undefined }

async function insertStaged(client: pg.ClientBase, channel: ChannelName, range: NewRows): Promise<typeof NOTHING> {
  const insert = channel === 'trade' ? insertStagedTrades : insertStagedL2Events
  const { numbered, inserted, epochs } = await insert(client, range)
  if (numbered !== inserted) throw new Error(`${channel}: a sequence would have been lost`)
  if (inserted > 0) {
    const changed = await supersedeChangedDays(client, { ...range, channel, afterSequence: range.before.lastSequence })
    if (changed.some(({ isHotDropped }) => isHotDropped)) throw new SealedDayChanged(channel, range.instrumentId)
    if (channel === 'l2_event') await reopenBook(client, range)
  }
  return { inserted, epochs }
}

function earliestOf(records: readonly { tsEvent: string }[]): string | undefined {
  return records.reduce<string | undefined>(
    (least, { tsEvent }) => (least === undefined || compareNanoseconds(tsEvent, least) < 0 ? tsEvent : least),
    undefined,
  )
}

function latestOf(records: readonly { tsEvent: string }[]): string | undefined {
  return records.reduce<string | undefined>(
    (most, { tsEvent }) => (most === undefined || compareNanoseconds(tsEvent, most) > 0 ? tsEvent : most),
    undefined,
  )
}
