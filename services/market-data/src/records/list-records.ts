import type { UserActor } from '@tapeline/contracts/actor'
import { PAGE_SIZE_MAX } from '@tapeline/contracts/market-data/http'
import type { Deps } from '../deps.ts'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import type { Warning } from '../instruments/select-instruments.ts'
import type { RowBatch } from '../lake/reading/row-batch.ts'
import { compareNanoseconds, nanosecondsOf } from '../nanoseconds.ts'
import type { ChannelName } from '../tables.ts'
import { sequencesAsOf } from './as-of.ts'
import { spanFrom } from './coverage.ts'
import type { Cursor, Key } from './cursor.ts'
import { type Filter, type ListBody, requestedFilter } from './filter.ts'
import type { Span } from './gap-queries.ts'
import { nextCursorOf, openPageRequest, SHORT_PAGE } from './page-request.ts'
import { readPage } from './read-page.ts'
import type { Row } from './record-queries.ts'
import { compareKeys } from './row-key.ts'
import { byEventTime } from './scan.ts'

/** One page, not serialized yet. */
export type RecordPage = {
  filter: Filter
  instruments: RegisteredInstrument[]
  /** With `as_of`: the last sequence of each instrument that counts. */
  through?: ReadonlyMap<number, string> | undefined
  batches: RowBatch[]
  /** All rows of the batches. */
  readonly rows: Row[]
  nextCursor: string | null
  /** The limit of the client, in this call or in the one that its cursor continues. */
  limit: number | undefined
  hasMore: boolean
  /** The last position that was read. */
  reached: Key | undefined
  span: Span
  warnings: Warning[]
}

/** A feed that has been silent for longer no longer delays pages of several instruments. */
const SILENCE_MAX_NS = 600_000_000_000n
/**
 * Records of a connected venue are expected to be stored by this long after the time that the venue gave them: transfer,
 * Kafka, the wait for the next transaction, and the difference of the clocks.
 */
export const STORED_WITHIN_NS = 5_000_000_000n

/** `portion`: maximum number of rows of a part of a streamed answer, whose cursor has the limit of the whole. */
export type RecordCall = ListBody & { portion?: number }

/** The next page of a channel in the order (ts_event, instrument_id, sequence), for a first call or a cursor. */
export async function listRecords(
  deps: Deps,
  actor: UserActor,
  channel: ChannelName,
  body: RecordCall,
): Promise<RecordPage> {
  const request = await openPageRequest(deps, actor, {
    channel,
    source: channel,
    body,
    requested: requestedFilter(body),
  })
  const { cursor, filter, instruments, warnings, isOpen } = request
  const { after, floors } = cursor
  const instrumentIds = instruments.map(({ instrumentId }) => instrumentId)
  const byEvent = byEventTime(filter)
  const { as_of: asOf } = filter
  // What was stored at a time is complete.
  const isGrowing = isOpen && asOf === undefined
  const shared = isGrowing ? sharedEnd(instruments, channel, byEvent.filter, request.now) : {}
  const scan = { channel, instrumentIds, filter: { ...byEvent.filter, ...shared }, after, floors }
  const through = asOf === undefined ? undefined : await sequencesAsOf(deps.pool, { channel, instrumentIds, asOf })
  const page = await readPage(deps, { ...scan, received: byEvent.received, through }, rowsMaxOf(cursor, body.portion))
  if (page.isShort) warnings.push(SHORT_PAGE)
  const beyond = floors?.filter((floor) => page.reached === undefined || compareKeys(floor, page.reached) > 0)
  const next = { after: page.reached, floors: beyond }
  const nextCursor = page.hasMore || isOpen ? nextCursorOf(deps, request, next) : null
  const { batches, hasMore, reached } = page
  return {
    filter,
    instruments,
    through,
    batches,
    nextCursor,
    limit: sentLimitOf(cursor),
    hasMore,
    reached,
    span: spanFrom(byEvent.filter, after),
    warnings,
    get rows() {
      return page.rows
    },
  }
}

function sentLimitOf({ limit, isLimitSent }: Cursor): number | undefined {
  return isLimitSent === true ? limit : undefined
}

function rowsMaxOf(cursor: Cursor, portion: number | undefined): number {
  if (portion === undefined) return Math.min(cursor.limit, PAGE_SIZE_MAX)
  return Math.min(sentLimitOf(cursor) ?? portion, portion)
}

/**
 * A client that polls live instruments must not read ahead of the records that are still being stored: later ones with
 * an earlier time would precede the cursor and be missed. The read therefore ends where the slowest instrument is
 * complete. One instrument that is fed in order needs no such end.
 */
export function sharedEnd(
  instruments: readonly RegisteredInstrument[],
  channel: ChannelName,
  filter: Filter,
  now: Date,
): { end?: string } {
  const nowNs = nanosecondsOf(now)
  const alive = nowNs - SILENCE_MAX_NS
  const times = instruments.flatMap(({ channels }) => {
    const { completeThrough } = channels[channel]
    if (completeThrough === null) return [String(nowNs - STORED_WITHIN_NS)]
    return instruments.length > 1 && BigInt(completeThrough) > alive ? [completeThrough] : []
  })
  const slowest = times.toSorted(compareNanoseconds)[0]
  if (slowest === undefined || (filter.end !== undefined && compareNanoseconds(filter.end, slowest) < 0)) return {}
  return { end: slowest }
}
