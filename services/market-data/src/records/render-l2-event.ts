import { L2_TYPE_LETTERS } from '../store/copy-queries.ts'
import type { Level } from '../store/record.ts'
import type { Row } from './record-queries.ts'
import { type FormatTime, type Header, headerOf, quoteOrNull, type RenderRecord, renderFlags } from './render-record.ts'

const TYPES = new Map(Object.entries(L2_TYPE_LETTERS).map(([name, letter]) => [letter as string, name]))

export type L2Rendering = { headers: ReadonlyMap<string, Header>; formatTime: FormatTime; depth: number | undefined }

/** An L2 row as the contract's L2Event. */
export function renderL2EventWith({ headers, formatTime, depth }: L2Rendering): RenderRecord {
  const levels = (json: string) => (depth === undefined ? json : cut(json, depth))
  return (row) => {
    const [instrumentId, sequence, tsEvent, tsRecv, flags, type, epoch, bids, asks, depthLimit, sourceId, ...rest] =
      l2ColumnsOf(row)
    const [firstId, lastId, prevId, gapReason, gapFromTs] = rest
    const { idPrefix, names } = headerOf(headers, instrumentId)
    const [time, previous] = [formatTime(tsEvent), previousOf(sequence)]
    const from = gapFromTs === '' ? 'null' : `"${formatTime(gapFromTs)}"`
    const gap = `{"reason":${JSON.stringify(gapReason)},"from_sequence":${previous},"from_ts":${from},"to_ts":"${time}","recoverable":false}`
    return (
      `{"id":${JSON.stringify(idPrefix + sourceId)},${names},"ts_event":"${time}",` +
      `"ts_recv":"${formatTime(tsRecv)}","sequence":"${sequence}","flags":${renderFlags(flags)},` +
      `"type":"${TYPES.get(type)}","prev_sequence":${previous},"venue_first_id":${quoteOrNull(firstId)},` +
      `"venue_last_id":${quoteOrNull(lastId)},"venue_prev_id":${quoteOrNull(prevId)},` +
      `"bids":${levels(bids)},"asks":${levels(asks)},"depth_limit":${depthLimit || 'null'},` +
      `"book_epoch":${epoch},"checksum":null,"checksum_status":"absent"${type === L2_TYPE_LETTERS.gap ? `,"gap":${gap}` : ''}}`
    )
  }
}

/** The levels of an L2 row as the contract's L2Level, with this text between them. */
export function renderLevelsWith({ headers, formatTime, depth }: L2Rendering, separator: string): RenderRecord {
  return (row) => {
    const [instrumentId, sequence, tsEvent, tsRecv, flags, type, epoch, bids, asks, , sourceId] = l2ColumnsOf(row)
    const { idPrefix, names } = headerOf(headers, instrumentId)
    const start =
      `{"id":${JSON.stringify(idPrefix + sourceId)},${names},"ts_event":"${formatTime(tsEvent)}",` +
      `"ts_recv":"${formatTime(tsRecv)}","sequence":"${sequence}","flags":${renderFlags(flags)},` +
      `"type":"${TYPES.get(type)}","book_epoch":${epoch},"is_snapshot":${type === L2_TYPE_LETTERS.snapshot},`
    const levels = levelLines(bids, asks, depth).map(
      ([side, price, amount]) => `${start}"side":"${side}","price":"${price}","amount":"${amount}"}`,
    )
    return levels.length === 0 ? `${start}"side":null,"price":null,"amount":null}` : levels.join(separator)
  }
}

export type LevelLine = readonly [side: 'bid' | 'ask', price: string, amount: string]

/** The levels of an event in order: bids, then asks, each best first. */
export function levelLines(bids: string, asks: string, depth: number | undefined): LevelLine[] {
  const levels = (json: string): Level[] => {
    const all: Level[] = JSON.parse(json)
    return depth === undefined ? all : all.slice(0, depth)
  }
  return [
    ...levels(bids).map(([price, amount]) => ['bid', price, amount] as const),
    ...levels(asks).map(([price, amount]) => ['ask', price, amount] as const),
  ]
}

type Four = readonly [string, string, string, string]
type Columns = readonly [...Four, ...Four, ...Four, ...Four]

/** The sixteen columns that record-queries selects of an L2 event. */
export function l2ColumnsOf(row: Row): Columns {
  return row as unknown as Columns
}

/** As JSON. Sequences have no gaps, so the previous one is one less. */
function previousOf(sequence: string): string {
  return sequence === '1' ? 'null' : `"${BigInt(sequence) - 1n}"`
}

/** Stored best first. */
function cut(json: string, depth: number): string {
  const levels: Level[] = JSON.parse(json)
  return levels.length <= depth ? json : JSON.stringify(levels.slice(0, depth))
}
