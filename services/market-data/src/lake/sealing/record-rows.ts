import { L2_TYPE_LETTERS, SIDE_LETTERS, SIDE_SOURCE_LETTERS } from '../../store/copy-queries.ts'
import type { L2Record, TradeRecord } from '../../store/record.ts'
import type { FileRow } from '../files/layout.ts'

/** The last sequence and book epoch before the rows. */
export type Before = { sequence: bigint; epoch: number }

/** Trades as rows of a file, numbered from the next sequence on; of two with the same time and id, the first counts. */
export function* tradeRows(records: Iterable<TradeRecord>, { sequence }: Before): Generator<FileRow> {
  let last = sequence
  for (const record of once(records)) {
    last += 1n
    yield [
      String(last),
      record.tsEvent,
      record.tsRecv,
      String(record.flags),
      SIDE_LETTERS[record.side],
      SIDE_SOURCE_LETTERS[record.sideSource],
      record.hasTradeId ? 't' : 'f',
      record.price,
      record.size,
      record.sourceId,
      record.conditions.length === 0 ? null : record.conditions.join(' '),
    ]
  }
}

/** Level-2 events as rows of a file; every event but an update begins an epoch. */
export function* l2EventRows(records: Iterable<L2Record>, { sequence, epoch }: Before): Generator<FileRow> {
  let [last, lastEpoch] = [sequence, epoch]
  for (const record of once(records)) {
    last += 1n
    if (record.type !== 'update') lastEpoch += 1
    yield [
      String(last),
      record.tsEvent,
      record.tsRecv,
      String(record.flags),
      L2_TYPE_LETTERS[record.type],
      String(lastEpoch),
      JSON.stringify(record.bids),
      JSON.stringify(record.asks),
      record.depthLimit === null ? null : String(record.depthLimit),
      record.sourceId,
      record.venueFirstId,
      record.venueLastId,
      record.venuePrevId,
      record.gap?.reason ?? (record.type === 'gap' ? 'unknown' : null),
      record.gap?.fromTs ?? null,
    ]
  }
}

/** Throws when records are not in the order of their times. */
function* once<T extends { tsEvent: string; sourceId: string }>(records: Iterable<T>): Generator<T> {
  let time = ''
  const ids = new Set<string>()
  for (const record of records) {
    if (record.tsEvent !== time) {
      if (time !== '' && BigInt(record.tsEvent) < BigInt(time)) throw new Error('records are not in the order of time')
      time = record.tsEvent
      ids.clear()
    }
    if (ids.has(record.sourceId)) continue
    ids.add(record.sourceId)
    yield record
  }
}
