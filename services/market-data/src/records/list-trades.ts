import type { UserActor } from '@tapeline/contracts/actor'
import type { ListTrades } from '@tapeline/contracts/market-data/http'
import type { Deps } from '../deps.ts'
import { listRecords } from './list-records.ts'
import { type RenderedPage, renderPage } from './render-page.ts'
import { formatTimeAs, headersOf } from './render-record.ts'
import { renderTradeWith } from './render-trade.ts'
import type { RenderFor } from './stream-records.ts'

export async function listTrades(
  deps: Deps,
  actor: UserActor,
  input: ListTrades,
  requestId: string,
): Promise<RenderedPage> {
  const page = await listRecords(deps, actor, 'trade', input)
  return renderPage(page, { channel: 'trade', render: renderTradesOf(page), gaps: [], requestId })
}

export const renderTradesOf: RenderFor = ({ filter, instruments }) =>
  renderTradeWith({
    headers: headersOf(instruments),
    formatTime: formatTimeAs(filter.time_format),
    hasConditions: filter.include?.includes('conditions') ?? false,
  })
