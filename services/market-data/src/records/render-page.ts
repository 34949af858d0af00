import type { ChannelName } from '../tables.ts'
import { completeThrough, type Coverage, coverageOf } from './coverage.ts'
import type { RecordPage } from './list-records.ts'
import { formatTimeAs, type RenderRecord } from './render-record.ts'

/** What a route sends: JSON text and the number of records in it. */
export type RenderedPage = { json: string; rows: number }
export type PageParts = { channel: ChannelName; render: RenderRecord; gaps: Coverage[]; requestId: string }

export function renderPage(page: RecordPage, { channel, render, gaps, requestId }: PageParts): RenderedPage {
  const { rows, instruments, filter, nextCursor, hasMore, warnings } = page
  const format = formatTimeAs(filter.time_format)
  const through = completeThrough(instruments, channel)
  const rest = JSON.stringify({
    next_cursor: nextCursor,
    has_more: hasMore,
    complete_through: through === null ? null : format(through),
    coverage: [...coverageOf(instruments, channel, filter, format), ...gaps],
    warnings,
    request_id: requestId,
  })
  return { json: `{"data":[${rows.map(render).join(',')}],${rest.slice(1)}`, rows: rows.length }
}
