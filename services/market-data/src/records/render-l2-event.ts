import { L2_TYPE_LETTERS } from '../store/copy-queries.ts'
import type { Level } from '../store/record.ts'
import type { FormatTime, Header, RenderRecord } from './render-record.ts'
import { quoteOrNull, renderFlags } from './render-record.ts'

const TYPES = new Map(Object.entries(L2_TYPE_LETTERS).map(([name, letter]) => [letter as string, name]))

export type L2Rendering = { headers: ReadonlyMap<string, Header>; formatTime: FormatTime; depth: number | undefined }

/** The columns of an L2 row, in the order of record-queries, as the contract's L2Event. */
export function renderL2EventWith({ headers, formatTime, depth }: L2Rendering): RenderRecord {
  const levels =
    depth === undefined
      ? (json: string | null | undefined) => json ?? '[]'
      : (json: string | null | undefined) => cut(json ?? '[]', depth)
  return (row) => {
    const [
      instrumentId,
      sequence = '0',
      tsEvent,
      tsRecv,
      flags,
      type,
      epoch,
      bids,
      asks,
      depthLimit,
      sourceId,
      ...rest
    ] = row
    const [firstId, lastId, prevId, gapReason, gapFromTs] = rest
    const { idPrefix, names } = headers.get(instrumentId ?? '') ?? { idPrefix: '', names: '' }
    const previous = previousOf(sequence)
    const time = formatTime(tsEvent ?? '')
    const gap =
      type === L2_TYPE_LETTERS.gap
        ? `,"gap":${JSON.stringify({
            reason: gapReason ?? 'unknown',
            from_sequence: previous,
            from_ts: gapFromTs === null || gapFromTs === undefined ? null : formatTime(gapFromTs),
            to_ts: time,
            recoverable: false,
          })}`
        : ''
    return (
      `{"id":${JSON.stringify(idPrefix + (sourceId ?? ''))},${names},"ts_event":"${time}","ts_recv":"${formatTime(tsRecv ?? '')}",` +
      `"sequence":"${sequence}","flags":${renderFlags(flags ?? '0')},"type":"${TYPES.get(type ?? '')}","prev_sequence":${quoteOrNull(previous)},` +
      `"venue_first_id":${quoteOrNull(firstId)},"venue_last_id":${quoteOrNull(lastId)},"venue_prev_id":${quoteOrNull(prevId)},` +
      `"bids":${levels(bids)},"asks":${levels(asks)},"depth_limit":${depthLimit ?? 'null'},"book_epoch":${epoch},` +
      `"checksum":null,"checksum_status":"absent"${gap}}`
    )
  }
}

/** Sequences have no holes, so the one before is one less. */
function previousOf(sequence: string | null): string | null {
  return sequence === null || sequence === '1' ? null : String(BigInt(sequence) - 1n)
}

/** Stored best first. */
function cut(json: string, depth: number): string {
  const levels: Level[] = JSON.parse(json)
  return levels.length <= depth ? json : JSON.stringify(levels.slice(0, depth))
}
