import type pg from 'pg'
import { markDayWithoutBars } from '../../bars/day-without-bars-queries.ts'
import { findNextOpening } from '../../book/find-next-opening.ts'
import { reopenBook } from '../../book/position-queries.ts'
import { dayStart } from '../../nanoseconds.ts'
import { markStored, type ChannelState, limitWaits, lockChannel } from '../../store/store-queries.ts'
import type { DayRecords, EncodedDay } from '../encoding/encode-day.ts'
import type { StoredFile } from '../encoding/stored-trades.ts'
import type { WrittenFile } from '../files/write-file.ts'
import { inTransaction } from '../in-transaction.ts'
import type { SealedFile } from '../manifest-queries.ts'
import { readWhole } from '../read-parts.ts'
import type { Stores } from '../reading/list-stored-rows.ts'
import { copyDays } from './day-lines.ts'
import { supersedeFile } from './late-data-queries.ts'
import { objectKey } from './object-key.ts'
import { protectObject, putObject } from './put-object.ts'
import { recordSealedFile } from './record-sealed-file.ts'
import {
  type ChannelDay,
  findChannelState,
  findInstrumentNames,
  findSealedFile,
  hasHotRows,
  insertSealedGap,
  markNeverHot,
} from './seal-queries.ts'

export type SealedDayRecords = { instrumentId: number; day: number; records: DayRecords }
/** `hot`: PostgreSQL has rows of the day, so that its records go through the store. `added` may be 0. */
export type WriteOutcome = { outcome: 'written'; added: number } | { outcome: 'hot' }

const ENCODE_TIMEOUT_MS = 600_000

/**
 * Writes records of a past day straight into the lake: as the day's file, or as its next revision with the new records.
 * Safe to repeat, also after a kill at any step: records that a file has already are recognized by time and id.
 */
export async function writeSealedDay(stores: Stores, sealedDay: SealedDayRecords): Promise<WriteOutcome> {
  const written = await writeOnce(stores, sealedDay, (work) => inTransaction(stores.pool, work))
  if (written !== undefined) return written
  // A live connector assigns sequences more often than a day can be encoded, so its commits wait this time.
  return inTransaction(stores.pool, async (client) => {
    await limitWaits(client)
    await client.query(`set local idle_in_transaction_session_timeout = ${ENCODE_TIMEOUT_MS}`)
    await lockChannel(client, sealedDay.instrumentId, sealedDay.records.channel)
    const locked = await writeOnce(stores, sealedDay, (work) => work(client))
    if (locked !== undefined) return locked
    throw new Error(
      `the file of day ${sealedDay.day} of instrument ${sealedDay.instrumentId} changed: start the import again`,
    )
  })
}

type Transact = (work: (client: pg.ClientBase) => Promise<boolean>) => Promise<boolean>

/** Undefined if the channel or the day's file changed in the meantime. */
async function writeOnce(
  stores: Stores,
  { instrumentId, day, records }: SealedDayRecords,
  transact: Transact,
): Promise<WriteOutcome | undefined> {
  const channelDay = { instrumentId, channel: records.channel, day }
  const names = await findInstrumentNames(stores.pool, instrumentId)
  const before = await findChannelState(stores.pool, instrumentId, records.channel)
  const current = await findSealedFile(stores.pool, channelDay)
  if (names === undefined || before === undefined) throw new Error(`there is no instrument ${instrumentId}`)
  if (current?.isHotDropped === false || (await hasHotRows(stores.pool, channelDay))) return { outcome: 'hot' }
  const encoded = await stores.lake.encoder.encodeDay({
    day,
    records,
    stored: current && (await readDay(stores, current)),
    lastSequence: BigInt(before.lastSequence),
    bookEpoch: before.bookEpoch,
  })
  const { file, added } = encoded
  if (file === undefined) return { outcome: 'written', added: 0 }
  const key = objectKey({ ...channelDay, ...names, sha256: file.sha256 })
  await putObject(stores, key, file.bytes)
  const nextOpening =
    records.channel === 'trade' ? undefined : await findOpeningAfter(stores, { instrumentId, before, encoded })
  const recorded = { key, file, before, current, encoded, nextOpening }
  const isRecorded = await transact((client) => recordFile(stores, client, channelDay, recorded))
  return isRecorded ? { outcome: 'written', added } : undefined
}

type EncodedBook = { instrumentId: number; before: ChannelState; encoded: EncodedDay }

function findOpeningAfter(stores: Stores, { instrumentId, before, encoded }: EncodedBook) {
  const { counts, isOpening } = encoded
  const bookEpoch = before.bookEpoch + (isOpening ? 1 : 0)
  return findNextOpening(stores, { instrumentId, last: counts.ts_max ?? '0', bookEpoch })
}

/** The day's file, written again if days share one. */
async function readDay({ lake }: Stores, file: SealedFile): Promise<StoredFile> {
  const { ref } = file
  if (!file.isShared) return { ref, bytes: await readWhole(lake.store, ref) }
  const { bytes, tailBytes, tailSha256 } = await lake.encoder.encodeRows(ref.channel, () =>
    copyDays(lake.reader, [file]),
  )
  return { ref: { ...ref, bytes: bytes.length, tailBytes, tailSha256 }, bytes }
}

type Recorded = {
  key: string
  file: WrittenFile
  before: ChannelState
  current: SealedFile | undefined
  encoded: EncodedDay
  nextOpening: string | undefined
}

/** False if the channel received other rows since its last sequence was read, or the day another file. */
async function recordFile(
  stores: Stores,
  client: pg.ClientBase,
  day: ChannelDay,
  recorded: Recorded,
): Promise<boolean> {
  const { key, file, current, encoded } = recorded
  const { counts, added, epochs, gaps } = encoded
  await limitWaits(client)
  if (await isChanged(client, day, recorded)) return false
  if (current !== undefined) await supersedeFile(client, current.fileId)
  await protectObject(stores, client, key, file.bytes)
  await recordSealedFile(client, { ...day, key, file, counts })
  await markNeverHot(client, day)
  for (const gap of gaps) await insertSealedGap(client, day.instrumentId, gap)
  const [first, last] = [counts.ts_min ?? undefined, counts.ts_max ?? undefined]
  await markStored(client, { ...day, first, last, rows: added, epochs, through: undefined })
  if (day.channel === 'trade') await markDayWithoutBars(client, day)
  else {
    const span = { first: String(dayStart(day.day)), nextOpening: recorded.nextOpening }
    await reopenBook(client, { ...day, ...span })
  }
  return true
}

async function isChanged(client: pg.ClientBase, day: ChannelDay, { before, current }: Recorded): Promise<boolean> {
  const now = await lockChannel(client, day.instrumentId, day.channel)
  if (now?.lastSequence !== before.lastSequence || (await hasHotRows(client, day))) return true
  return (await findSealedFile(client, day))?.fileId !== current?.fileId
}
