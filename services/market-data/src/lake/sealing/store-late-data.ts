import { findNextOpenings } from '../../book/find-next-opening.ts'
import { dayOf } from '../../nanoseconds.ts'
import type { L2Record, RecordBatch, TradeRecord } from '../../store/record.ts'
import { type Stored, storeAtOnce, storeRecords, type Work } from '../../store/store-records.ts'
import { SealedDayChanged } from '../../store/sealed-day-changed.ts'
import type { ChannelName } from '../../tables.ts'
import { AT, SOURCE_ID_AT } from '../files/layout.ts'
import type { SealedFile } from '../manifest-queries.ts'
import { fileRows } from '../reading/file-rows.ts'
import type { Stores } from '../reading/list-stored-rows.ts'
import { restoreDay } from './restore-day.ts'
import { listDroppedDays } from './late-data-queries.ts'

const ATTEMPTS = 3

/** Stores new records, also on days whose rows are only in the lake. */
export async function storeWithLake(
  stores: Stores,
  batches: readonly RecordBatch[],
  workOn?: (batches: readonly RecordBatch[]) => Work,
): Promise<Stored> {
  for (let attempt = 1; ; attempt += 1) {
    const fresh = await openSealedDays(stores, batches)
    try {
      const nextOpenings = await findNextOpenings(stores, fresh)
      const work: Work = (client) => storeRecords(client, fresh, { isOrdered: false, nextOpenings })
      return await storeAtOnce(stores.pool, fresh, workOn?.(fresh) ?? work)
    } catch (error) {
      if (!(error instanceof SealedDayChanged) || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * Stores records of days whose rows were deleted from PostgreSQL: those that are already in the file are skipped; for any other the
 * day's rows are restored first, with their sequences.
 */
export async function openSealedDays(stores: Stores, batches: readonly RecordBatch[]): Promise<RecordBatch[]> {
  const opened: RecordBatch[] = []
  for (const batch of batches) {
    const { instrumentId, trades, l2Events } = batch
    opened.push({
      instrumentId,
      trades: await withoutSealed<TradeRecord>(stores, { instrumentId, channel: 'trade', records: trades }),
      l2Events: await withoutSealed<L2Record>(stores, { instrumentId, channel: 'l2_event', records: l2Events }),
    })
  }
  return opened
}

type Identified = { tsEvent: string; sourceId: string }
type ChannelRecords<T> = { instrumentId: number; channel: ChannelName; records: readonly T[] }

async function withoutSealed<T extends Identified>(
  stores: Stores,
  channelRecords: ChannelRecords<T>,
): Promise<readonly T[]> {
  if (channelRecords.records.length === 0) return channelRecords.records
  const byDay = Map.groupBy(channelRecords.records, ({ tsEvent }) => dayOf(tsEvent))
  const dropped = await listDroppedDays(stores.pool, { ...channelRecords, days: [...byDay.keys()] })
  if (dropped.length === 0) return channelRecords.records
  const storedIds = new Set<string>()
  for (const file of dropped) {
    const records = byDay.get(file.day) ?? []
    const stored = await storedAmong(stores, file, records)
    for (const id of stored) storedIds.add(id)
    if (records.some((record) => !stored.has(idOf(record)))) await restoreDay(stores, file)
  }
  return channelRecords.records.filter((record) => !storedIds.has(idOf(record)))
}

/** The ids of the records that are in a file. */
async function storedAmong({ lake }: Stores, file: SealedFile, records: readonly Identified[]): Promise<Set<string>> {
  const ids = new Set(records.map(idOf))
  const times = records.map(({ tsEvent }) => BigInt(tsEvent))
  const first = times.reduce((least, time) => (time < least ? time : least))
  const last = times.reduce((most, time) => (time > most ? time : most))
  const found = new Set<string>()
  for await (const row of fileRows(lake.reader, file, { start: first, end: last + 1n })) {
    const id = `${row[AT.tsEvent]} ${row[SOURCE_ID_AT[file.ref.channel]]}`
    if (ids.has(id)) found.add(id)
  }
  return found
}

function idOf({ tsEvent, sourceId }: Identified): string {
  return `${tsEvent} ${sourceId}`
}
