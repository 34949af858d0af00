import type pg from 'pg'
import type { ChannelName } from '../tables.ts'
import { rowsIn, writeBatches } from './bytes/render-batches.ts'
import { release, takeWriter } from './bytes/page-writers.ts'
import { completeThrough, coverageOf, gapsIn, type PageGaps } from './coverage.ts'
import type { Estimate } from './estimate-list.ts'
import type { RecordPage } from './list-records.ts'
import { formatTimeAs } from './render-record.ts'

/** JSON text and the number of records that it has. */
export type RenderedPage = { json: string; rows: number }
/** The same as bytes. Call `release` after sending them: their buffer is then reused. */
export type RenderedBytes = { json: Buffer; rows: number; release: () => void }

/** A page as the contract's TradePage or L2EventPage. */
export async function renderPage(
  pool: pg.Pool,
  channel: ChannelName,
  page: RecordPage,
  { requestId, estimate }: { requestId: string; estimate?: Estimate },
): Promise<RenderedBytes> {
  const gaps = await gapsIn(pool, channel, page)
  const end = renderPageEnd(page, { channel, gaps, requestId, estimate })
  const { batches } = page
  const rows = rowsIn(batches)
  const out = takeWriter(rows)
  out.text('{"data":[')
  writeBatches(out, { channel, page, batches, separator: ',' })
  out.text(`],${end}`)
  return { json: out.view(), rows, release: () => release(out) }
}

export type PageEnd = { channel: ChannelName; gaps: PageGaps; requestId: string; estimate?: Estimate | undefined }

/** Everything in a page except its data, as the end of its JSON. */
export function renderPageEnd(
  page: Omit<RecordPage, 'batches' | 'rows' | 'limit' | 'reached' | 'span'>,
  end: PageEnd,
): string {
  const { channel, gaps, requestId, estimate } = end
  const { instruments, filter, nextCursor, hasMore, warnings } = page
  const format = formatTimeAs(filter.time_format)
  const through = completeThrough(instruments, channel)
  const tail = JSON.stringify({
    next_cursor: nextCursor,
    has_more: hasMore,
    complete_through: through === null ? null : format(through),
    coverage: [...coverageOf(instruments, channel, filter, format), ...gaps.coverage],
    warnings: [...warnings, ...gaps.warnings],
    ...(estimate === undefined ? {} : { estimate }),
    request_id: requestId,
  })
  return tail.slice(1)
}
