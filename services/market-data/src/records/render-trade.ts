import { SIDE_LETTERS, SIDE_SOURCE_LETTERS } from '../store/copy-queries.ts'
import type { FormatTime, Header, RenderRecord } from './render-record.ts'
import { quoteOrNull, renderFlags } from './render-record.ts'

const SIDES = new Map(Object.entries(SIDE_LETTERS).map(([name, letter]) => [letter as string, name]))
const SIDE_SOURCES = new Map(Object.entries(SIDE_SOURCE_LETTERS).map(([name, letter]) => [letter as string, name]))

export type TradeRendering = { headers: ReadonlyMap<string, Header>; formatTime: FormatTime; hasConditions: boolean }

/** The columns of a trade row, in the order of record-queries, as the contract's Trade. */
export function renderTradeWith({ headers, formatTime, hasConditions }: TradeRendering): RenderRecord {
  return ([
    instrumentId,
    sequence,
    tsEvent,
    tsRecv,
    flags,
    side,
    sideSource,
    hasTradeId,
    price,
    size,
    sourceId,
    conditions,
  ]) => {
    const { idPrefix, names } = headers.get(instrumentId ?? '') ?? { idPrefix: '', names: '' }
    const id = JSON.stringify(idPrefix + (sourceId ?? ''))
    const tradeId = hasTradeId === 't' ? quoteOrNull(sourceId) : 'null'
    const words = hasConditions ? `,"conditions":${JSON.stringify(conditions?.split(' ') ?? [])}` : ''
    return (
      `{"id":${id},${names},"ts_event":"${formatTime(tsEvent ?? '')}","ts_recv":"${formatTime(tsRecv ?? '')}",` +
      `"sequence":"${sequence}","flags":${renderFlags(flags ?? '0')},"trade_id":${tradeId},"venue_sequence":null,` +
      `"price":"${price}","size":"${size}","side":"${SIDES.get(side ?? '')}","side_source":"${SIDE_SOURCES.get(sideSource ?? '')}"${words}}`
    )
  }
}
