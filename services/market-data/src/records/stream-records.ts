import { Readable } from 'node:stream'
import type { UserActor } from '@tapeline/contracts/actor'
import { PAGE_SIZE_MAX, STREAM_ROWS_MAX } from '@tapeline/contracts/market-data/http'
import { problemOf } from '@tapeline/service/problem'
import { toAppError } from '@tapeline/service/to-app-error'
import type { Deps } from '../deps.ts'
import type { ChannelName } from '../tables.ts'
import type { Filter, ListBody } from './filter.ts'
import { listRecords, type RecordPage } from './list-records.ts'
import type { RenderRecord } from './render-record.ts'

/** How a channel's rows become JSON under a filter. */
export type RenderFor = (page: Pick<RecordPage, 'instruments'> & { filter: Filter }) => RenderRecord
export type StreamCall = { channel: ChannelName; body: ListBody; requestId: string; path: string; renderFor: RenderFor }

/**
 * Up to a million rows as NDJSON, read page by page while the client takes them. The last line is no record: it has the
 * cursor to go on with, or the problem that ended the stream.
 */
export async function streamRecords(deps: Deps, actor: UserActor, call: StreamCall): Promise<Readable> {
  const rowsMax = call.body.limit ?? STREAM_ROWS_MAX
  const limit = Math.min(PAGE_SIZE_MAX, rowsMax)
  // A call that cannot be answered fails before the first byte.
  const first = await listRecords(deps, actor, call.channel, { ...call.body, limit })
  return Readable.from(linesOf(deps, actor, call, { first, rowsMax }), { objectMode: false, highWaterMark: 1 })
}

type Start = { first: RecordPage; rowsMax: number }

async function* linesOf(deps: Deps, actor: UserActor, call: StreamCall, start: Start): AsyncGenerator<string> {
  const render = call.renderFor(start.first)
  let page = start.first
  let rows = 0
  try {
    for (;;) {
      rows += page.rows.length
      if (page.rows.length > 0) yield `${page.rows.map(render).join('\n')}\n`
      if (!page.hasMore || page.nextCursor === null || rows >= start.rowsMax) break
      const limit = Math.min(PAGE_SIZE_MAX, start.rowsMax - rows)
      page = await listRecords(deps, actor, call.channel, { cursor: page.nextCursor, limit })
    }
    yield lastLine({ next_cursor: page.nextCursor, has_more: page.hasMore, rows, request_id: call.requestId })
  } catch (error) {
    const problem = problemOf(toAppError(error), { requestId: call.requestId, path: call.path })
    yield lastLine({ next_cursor: page.nextCursor, has_more: true, rows, problem, request_id: call.requestId })
  }
}

function lastLine(end: object): string {
  return `${JSON.stringify(end)}\n`
}
