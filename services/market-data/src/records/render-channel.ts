import type { ChannelName } from '../tables.ts'
import type { RecordPage } from './list-records.ts'
import { renderL2EventWith, renderLevelsWith } from './render-l2-event.ts'
import { formatTimeAs, headersOf, type RenderRecord } from './render-record.ts'
import { renderTradeWith } from './render-trade.ts'

/** Renders the records of a page as JSON; an event that becomes several records has `separator` between them. */
export function renderChannel(
  channel: ChannelName,
  { instruments, filter }: Pick<RecordPage, 'instruments' | 'filter'>,
  separator: string,
): RenderRecord {
  const headers = headersOf(instruments)
  const formatTime = formatTimeAs(filter.time_format)
  if (channel === 'trade') {
    return renderTradeWith({ headers, formatTime, hasConditions: filter.include?.includes('conditions') ?? false })
  }
  const rendering = { headers, formatTime, depth: filter.depth }
  return filter.layout === 'levels' ? renderLevelsWith(rendering, separator) : renderL2EventWith(rendering)
}
