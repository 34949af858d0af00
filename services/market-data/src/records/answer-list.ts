import type { Readable } from 'node:stream'
import type { UserActor } from '@tapeline/contracts/actor'
import { ARROW_TYPE, CSV_TYPE, NDJSON_TYPE } from '@tapeline/contracts/market-data/http'
import type { Deps } from '../deps.ts'
import type { ChannelName } from '../tables.ts'
import { renderBatches } from './bytes/render-batches.ts'
import { spanFrom } from './coverage.ts'
import { estimateList } from './estimate-list.ts'
import type { FairQueue } from './fair-queue.ts'
import { invalid, type ListBody } from './filter.ts'
import { type AnswerFormat, answerFormat, type StreamedFormat } from './formats/answer-format.ts'
import { arrowStream } from './formats/arrow-stream.ts'
import { csvStream } from './formats/csv-stream.ts'
import { ndjsonStream } from './formats/ndjson-stream.ts'
import type { RecordStream } from './formats/record-stream.ts'
import { recordTable } from './formats/record-table.ts'
import { listRecords, type RecordCall, type RecordPage } from './list-records.ts'
import { renderPage } from './render-page.ts'
import { formatTimeAs } from './render-record.ts'
import { byEventTime } from './scan.ts'
import { streamRecords } from './stream-records.ts'

/** Pages and portions of streams are read in turn. */
export type Reading = { deps: Deps; queue: FairQueue }
export type ListCall = {
  channel: ChannelName
  body: ListBody
  accept: string | undefined
  requestId: string
  path: string
}
/** `rows` is unknown of a stream when it begins; `release` is called when the body was sent. */
export type ListAnswer = { type: string; body: Buffer | Readable; rows: number | undefined; release?: () => void }

const JSON_TYPE = 'application/json; charset=utf-8'
const TYPES: Record<StreamedFormat, string> = {
  ndjson: NDJSON_TYPE,
  csv: `${CSV_TYPE}; charset=utf-8`,
  arrow: ARROW_TYPE,
}
type StreamOf = (channel: ChannelName, page: RecordPage) => RecordStream
const STREAMS: Record<StreamedFormat, StreamOf> = {
  ndjson: (channel, page) => ndjsonStream((batches) => renderBatches(channel, page, batches, '\n')),
  csv: (channel, page) => csvStream(recordTable(channel, page), formatTimeAs(page.filter.time_format)),
  arrow: (channel, page) => arrowStream(recordTable(channel, page)),
}

/**
 * The records that a body selects, in the format that the client accepts.
 * @throws AppError filter.invalid
 */
export async function answerList({ deps, queue }: Reading, actor: UserActor, call: ListCall): Promise<ListAnswer> {
  const { channel, body, accept, requestId, path } = call
  const format = answerFormat(accept, body.limit)
  if (format !== 'json' && format !== 'ndjson' && body.layout === 'events') throw invalid('/layout', 'const', 'levels')
  const inTurn = <T>(work: () => Promise<T>) => queue.run(actor.userId, work)
  if (body.dry_run === true) return inTurn(() => answerEstimate(deps, actor, call, format))
  if (format === 'json') {
    const { json, rows, release } = await inTurn(async () => {
      const page = await listRecords(deps, actor, channel, body)
      return renderPage(deps.pool, channel, page, { requestId })
    })
    return { type: JSON_TYPE, body: json, rows, release }
  }
  const streamOf = (page: RecordPage) => STREAMS[format](channel, page)
  const read = (part: RecordCall) => inTurn(() => listRecords(deps, actor, channel, part))
  const stream = await streamRecords(read, { body, requestId, path, streamOf })
  return { type: TYPES[format], body: stream, rows: undefined }
}

async function answerEstimate(deps: Deps, actor: UserActor, call: ListCall, format: AnswerFormat): Promise<ListAnswer> {
  const { channel, requestId } = call
  const streamOf = STREAMS[format === 'json' ? 'ndjson' : format]
  const { page, estimate } = await estimateList(deps, actor, call, (sample, batches) =>
    Buffer.byteLength(streamOf(channel, sample).records(batches)),
  )
  const span = spanFrom(byEventTime(page.filter).filter, undefined)
  const empty = { ...page, span, batches: [], nextCursor: null, hasMore: false, warnings: [] }
  const { json, ...rendered } = await renderPage(deps.pool, channel, empty, { requestId, estimate })
  return { type: JSON_TYPE, body: json, ...rendered }
}
