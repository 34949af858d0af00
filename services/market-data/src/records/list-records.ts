import type { UserActor } from '@tapeline/contracts/actor'
import { PAGE_SIZE_DEFAULT } from '@tapeline/contracts/market-data/http'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import type { KnownInstrument } from '../instruments/instrument.ts'
import { selectInstruments, type Warning } from '../instruments/select-instruments.ts'
import { compareNanoseconds, nanosecondsOf } from '../nanoseconds.ts'
import type { ChannelName } from '../tables.ts'
import { limitHistory } from './check-history.ts'
import { checkSameFilter, type Cursor, openCursor, signCursor } from './cursor.ts'
import { completeFilter, type Filter, givenFilter, type ListBody } from './filter.ts'
import { readPage } from './read-page.ts'
import type { Row } from './record-queries.ts'

/** One page before it is written out. */
export type RecordPage = {
  filter: Filter
  instruments: KnownInstrument[]
  rows: Row[]
  nextCursor: string | null
  hasMore: boolean
  warnings: Warning[]
}

/** A feed that has been silent for longer holds up nobody who reads several instruments at once. */
const SILENCE_MAX_NS = 600_000_000_000n

/** The next page of a channel in the order (ts_event, instrument_id, sequence), for the first call of a walk or a cursor. */
export async function listRecords(
  deps: Deps,
  actor: UserActor,
  channel: ChannelName,
  body: ListBody,
): Promise<RecordPage> {
  const now = deps.now()
  const cursor = cursorOf(deps, channel, body)
  const { limit, after } = cursor
  const filter = limitHistory(deps, actor, cursor, { now, isFirst: !hasCursor(body) })
  const { instruments, warnings } = selectInstruments(await deps.instruments.list(), actor, filter)
  refuseDropped(instruments, cursor)
  const instrumentIds = instruments.map(({ instrumentId }) => instrumentId)
  const isOpen = filter.order === 'asc' && (filter.end === undefined || BigInt(filter.end) > nanosecondsOf(now))
  const scanned = isOpen ? { ...filter, ...sharedEnd(instruments, channel, filter, now) } : filter
  const page = await readPage(deps, { channel, instrumentIds, filter: scanned, after }, limit)
  if (page.isShort) warnings.push(SHORT_PAGE)
  const keptFrom = newestKeptFrom(instruments, channel)
  const next = { channel, filter: cursor.filter, limit, after: page.reached, keptFrom }
  const nextCursor = page.hasMore || isOpen ? signCursor(deps.cursorKey, next) : null
  return { filter, instruments, rows: page.rows, nextCursor, hasMore: page.hasMore, warnings }
}

const SHORT_PAGE: Warning = {
  code: 'page.short',
  message: 'This page ends before its limit, and there may be more: go on with next_cursor.',
}

function cursorOf({ cursorKey }: Deps, channel: ChannelName, body: ListBody): Cursor {
  const given = givenFilter(body)
  if (!hasCursor(body)) {
    return {
      channel,
      filter: completeFilter(given),
      limit: body.limit ?? PAGE_SIZE_DEFAULT,
      after: undefined,
      keptFrom: '0',
    }
  }
  const cursor = openCursor(cursorKey, channel, body.cursor)
  checkSameFilter(given, cursor.filter)
  return { ...cursor, limit: body.limit ?? cursor.limit }
}

function hasCursor<Body extends ListBody>(body: Body): body is Body & { cursor: string } {
  return typeof body.cursor === 'string'
}

/**
 * Going on across what was dropped since the last page would skip rows without a word. What was gone before it cannot be
 * skipped: a walk may pass years of one instrument while another one is kept for days.
 */
function refuseDropped(instruments: KnownInstrument[], { channel, filter, after, keptFrom }: Cursor): void {
  if (filter.order !== 'asc' || after === undefined) return
  const newest = newestKeptFrom(instruments, channel)
  if (compareNanoseconds(newest, keptFrom) <= 0 || compareNanoseconds(newest, after.tsEvent) <= 0) return
  const message = 'The data that this cursor would continue with is no longer kept; begin a new walk.'
  throw new AppError('cursor.expired', message, { errors: [{ field: '/cursor', message }] })
}

/** One number is enough: retention drops a day of all its instruments at once. */
function newestKeptFrom(instruments: KnownInstrument[], channel: ChannelName): string {
  const times = instruments.map(({ channels }) => channels[channel].retainedFrom)
  return times.toSorted(compareNanoseconds).at(-1) ?? '0'
}

/**
 * Whoever polls several live instruments must not see one of them ahead of the others: what arrives later for those
 * would stand before the cursor and be missed. So the read ends where the slowest of them is complete.
 */
function sharedEnd(instruments: KnownInstrument[], channel: ChannelName, filter: Filter, now: Date): { end?: string } {
  if (instruments.length === 1) return {}
  const alive = nanosecondsOf(now) - SILENCE_MAX_NS
  const times = instruments.flatMap(({ channels }) => {
    const { completeThrough } = channels[channel]
    return completeThrough !== null && BigInt(completeThrough) > alive ? [completeThrough] : []
  })
  const slowest = times.toSorted(compareNanoseconds)[0]
  if (slowest === undefined || (filter.end !== undefined && compareNanoseconds(filter.end, slowest) < 0)) return {}
  return { end: slowest }
}
