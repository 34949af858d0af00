import { SIDE_LETTERS, SIDE_SOURCE_LETTERS } from '../store/copy-queries.ts'
import type { Row } from './record-queries.ts'
import { type FormatTime, type Header, headerOf, type RenderRecord, renderFlags } from './render-record.ts'

export const SIDES: ReadonlyMap<string, string> = new Map(
  Object.entries(SIDE_LETTERS).map(([name, letter]) => [letter as string, name]),
)
export const SIDE_SOURCES: ReadonlyMap<string, string> = new Map(
  Object.entries(SIDE_SOURCE_LETTERS).map(([name, letter]) => [letter as string, name]),
)

export type TradeRendering = { headers: ReadonlyMap<string, Header>; formatTime: FormatTime; hasConditions: boolean }

/** A trade row as the contract's Trade. */
export function renderTradeWith({ headers, formatTime, hasConditions }: TradeRendering): RenderRecord {
  return (row) => {
    const [instrumentId, sequence, tsEvent, tsRecv, flags, side, sideSource, hasTradeId, price, size, sourceId, words] =
      tradeColumnsOf(row)
    const { idPrefix, names } = headerOf(headers, instrumentId)
    const tradeId = hasTradeId === 't' ? JSON.stringify(sourceId) : 'null'
    const conditions = hasConditions ? `,"conditions":${JSON.stringify(words === '' ? [] : words.split(' '))}` : ''
    return (
      `{"id":${JSON.stringify(idPrefix + sourceId)},${names},"ts_event":"${formatTime(tsEvent)}",` +
      `"ts_recv":"${formatTime(tsRecv)}","sequence":"${sequence}","flags":${renderFlags(flags)},"trade_id":${tradeId},` +
      `"venue_sequence":null,"price":"${price}","size":"${size}","side":"${SIDES.get(side)}",` +
      `"side_source":"${SIDE_SOURCES.get(sideSource)}"${conditions}}`
    )
  }
}

type Columns = readonly [string, string, string, string, string, string, string, string, string, string, string, string]

/** The twelve columns that record-queries selects of a trade. */
export function tradeColumnsOf(row: Row): Columns {
  return row as unknown as Columns
}
