import { dayStart } from '../../nanoseconds.ts'
import type { L2Record, TradeRecord } from '../../store/record.ts'
import { L2_TYPE_LETTERS } from '../../store/copy-queries.ts'
import { type ChannelState, limitWaits, lockChannel, markStored } from '../../store/store-queries.ts'
import { AT, type FileRow } from '../files/layout.ts'
import type { WrittenFile } from '../files/write-file.ts'
import type { Stores } from '../reading/list-stored-rows.ts'
import { inTransaction } from '../in-transaction.ts'
import { buildFile } from './build-file.ts'
import { objectKey } from './object-key.ts'
import { type Before, l2EventRows, tradeRows } from './record-rows.ts'
import { putObject } from './seal-day.ts'
import {
  type ChannelDay,
  type FileCounts,
  findChannelState,
  findInstrumentNames,
  insertSealedFile,
  insertSealedGap,
  isDayOccupied,
  markNeverHot,
  type SealedGap,
} from './seal-queries.ts'

/** A whole day of one channel in the order of time; read twice, with the same records each time. */
export type DayRecords = { instrumentId: number; day: number } & (
  | { channel: 'trade'; records: () => Iterable<TradeRecord> }
  | { channel: 'l2_event'; records: () => Iterable<L2Record> }
)
/** `occupied`: the day has rows already, so that its records go through the store, which leaves out known ones. */
export type WriteOutcome = { outcome: 'sealed'; rows: number } | { outcome: 'occupied' | 'empty' | 'changed' }

/**
 * Writes a past day straight into the lake. Sequences follow the last one of the channel; when another writer gives
 * sequences meanwhile, nothing is stored and the caller repeats.
 */
export async function writeSealedDay(stores: Stores, given: DayRecords): Promise<WriteOutcome> {
  const { instrumentId, channel, day } = given
  const names = await findInstrumentNames(stores.pool, instrumentId)
  const before = await findChannelState(stores.pool, instrumentId, channel)
  if (names === undefined || before === undefined) throw new Error(`there is no instrument ${instrumentId}`)
  if (await isDayOccupied(stores.pool, given)) return { outcome: 'occupied' }
  let summary = createSummary(given)
  const file = await buildFile(channel, () => {
    summary = createSummary(given)
    return summary.of(rowsOf(given, { sequence: BigInt(before.lastSequence), epoch: before.bookEpoch }))
  })
  if (file.rows === 0) return { outcome: 'empty' }
  const key = objectKey({ channel, day, ...names, sha256: file.sha256 })
  await putObject(stores, key, file.bytes)
  const isRecorded = await recordFile(stores, { instrumentId, channel, day }, { key, file, before, summary })
  return isRecorded ? { outcome: 'sealed', rows: file.rows } : { outcome: 'changed' }
}

function rowsOf(given: DayRecords, before: Before): Generator<FileRow> {
  return given.channel === 'trade' ? tradeRows(given.records(), before) : l2EventRows(given.records(), before)
}

type Summary = ReturnType<typeof createSummary>
const [TYPE_AT, EPOCH_AT, GAP_REASON_AT, GAP_FROM_AT] = [4, 5, 13, 14]

/** What the manifest says of the rows that go by; all are of one day. */
function createSummary({ channel, day }: Pick<DayRecords, 'channel' | 'day'>) {
  const [start, end] = [dayStart(day), dayStart(day + 1)]
  const gaps: SealedGap[] = []
  let first: FileRow | undefined
  let last: FileRow | undefined
  let rows = 0
  return {
    gaps,
    epoch: () => Number(last?.[EPOCH_AT] ?? 0),
    *of(source: Iterable<FileRow>): Generator<FileRow> {
      for (const row of source) {
        const time = BigInt(row[AT.tsEvent] ?? '')
        if (time < start || time >= end) throw new Error('a record is not of the day')
        first ??= row
        last = row
        rows += 1
        if (channel === 'l2_event' && row[TYPE_AT] === L2_TYPE_LETTERS.gap) gaps.push(gapOf(row))
        yield row
      }
    },
    counts: (): FileCounts => ({
      row_count: String(rows),
      ts_min: first?.[AT.tsEvent] ?? null,
      ts_max: last?.[AT.tsEvent] ?? null,
      sequence_min: first?.[AT.sequence] ?? null,
      sequence_max: last?.[AT.sequence] ?? null,
    }),
  }
}

function gapOf(row: FileRow): SealedGap {
  return {
    tsEvent: row[AT.tsEvent] ?? '',
    sequence: row[AT.sequence] ?? '',
    reason: row[GAP_REASON_AT] ?? null,
    fromTs: row[GAP_FROM_AT] ?? null,
  }
}

type Recorded = { key: string; file: WrittenFile; before: ChannelState; summary: Summary }

/** False when the channel has got other rows since its last sequence was read. */
async function recordFile({ pool }: Stores, day: ChannelDay, recorded: Recorded): Promise<boolean> {
  const { key, file, before, summary } = recorded
  const counts = summary.counts()
  return inTransaction(pool, async (client) => {
    await limitWaits(client)
    const now = await lockChannel(client, day.instrumentId, day.channel)
    if (now?.lastSequence !== before.lastSequence || (await isDayOccupied(client, day))) return false
    await insertSealedFile(client, { ...day, key, file, counts })
    await markNeverHot(client, day)
    for (const gap of summary.gaps) await insertSealedGap(client, day.instrumentId, gap)
    await markStored(client, {
      ...day,
      first: counts.ts_min ?? undefined,
      last: counts.ts_max ?? undefined,
      rows: file.rows,
      epochs: day.channel === 'trade' ? 0 : summary.epoch() - before.bookEpoch,
      through: undefined,
    })
    return true
  })
}
