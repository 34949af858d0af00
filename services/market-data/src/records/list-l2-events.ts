import type { UserActor } from '@tapeline/contracts/actor'
import type { ListL2Events } from '@tapeline/contracts/market-data/http'
import type { Deps } from '../deps.ts'
import { NANOSECONDS_MAX } from '../nanoseconds.ts'
import { gapCoverage } from './coverage.ts'
import { listRecords } from './list-records.ts'
import { listGaps } from './record-queries.ts'
import { renderL2EventWith } from './render-l2-event.ts'
import { type RenderedPage, renderPage } from './render-page.ts'
import { formatTimeAs, headersOf } from './render-record.ts'
import type { RenderFor } from './stream-records.ts'

export async function listL2Events(
  deps: Deps,
  actor: UserActor,
  input: ListL2Events,
  requestId: string,
): Promise<RenderedPage> {
  const page = await listRecords(deps, actor, 'l2_event', input)
  const { filter, instruments } = page
  const formatTime = formatTimeAs(filter.time_format)
  const range = { start: filter.start ?? '0', end: filter.end ?? String(NANOSECONDS_MAX) }
  const gaps = await listGaps(
    deps.pool,
    instruments.map(({ instrumentId }) => instrumentId),
    range,
  )
  const render = renderL2EventsOf(page)
  return renderPage(page, { channel: 'l2_event', render, gaps: gapCoverage(instruments, gaps, formatTime), requestId })
}

export const renderL2EventsOf: RenderFor = ({ filter, instruments }) =>
  renderL2EventWith({
    headers: headersOf(instruments),
    formatTime: formatTimeAs(filter.time_format),
    depth: filter.depth,
  })
