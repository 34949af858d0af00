import { escapeCopy, L2_TYPE_LETTERS } from '../../store/copy-queries.ts'
import type { L2Record } from '../../store/record.ts'

/** Book events of one day in the order in which they arrived: lines of COPY with the columns of a FileRow, not numbered yet. */
export function eventLines(records: readonly L2Record[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(records.map(lineOf).join(''))
}

function lineOf(record: L2Record): string {
  const { tsEvent, tsRecv, flags, type, bids, asks, depthLimit, gap } = record
  const row = [
    '0',
    tsEvent,
    tsRecv,
    String(flags),
    L2_TYPE_LETTERS[type],
    '0',
    JSON.stringify(bids),
    JSON.stringify(asks),
    depthLimit === null ? null : String(depthLimit),
    record.sourceId,
    record.venueFirstId,
    record.venueLastId,
    record.venuePrevId,
    gap?.reason ?? (type === 'gap' ? 'unknown' : null),
    gap?.fromTs ?? null,
  ]
  return `${row.map((text) => (text === null ? '\\N' : escapeCopy(text))).join('\t')}\n`
}
