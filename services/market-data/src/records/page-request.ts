import type { UserActor } from '@tapeline/contracts/actor'
import { PAGE_SIZE_DEFAULT } from '@tapeline/contracts/market-data/http'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { selectInstruments, type Warning } from '../instruments/select-instruments.ts'
import { compareNanoseconds, nanosecondsOf } from '../nanoseconds.ts'
import type { ChannelName } from '../tables.ts'
import { limitHistory } from './check-history.ts'
import { checkSameFilter, type Cursor, type CursorChannel, openCursor, signCursor } from './cursor.ts'
import { completeFilter, type Filter } from './filter.ts'

export type PageCall = {
  channel: CursorChannel
  /** The stored channel that is read. */
  source: ChannelName
  body: { cursor?: string | null; limit?: number }
  /** The canonical filter of the body, without defaults. */
  requested: Partial<Filter>
}

/** A validated request for one page, with the filter and position of its cursor, or those of its body. */
export type PageRequest = {
  cursor: Cursor
  /** The filter, bounded by the history of the caller's tier. */
  filter: Filter
  instruments: RegisteredInstrument[]
  warnings: Warning[]
  /** The range has no end yet, so that paging can continue with records that arrive later. */
  isOpen: boolean
  now: Date
  source: ChannelName
}

export const SHORT_PAGE: Warning = {
  code: 'page.short',
  message: 'This page ends before its limit, and more records may follow: continue with next_cursor.',
}

/** Resolves the instruments, the history limit and the cursor of a list call, before any record is read. */
export async function openPageRequest(deps: Deps, actor: UserActor, call: PageCall): Promise<PageRequest> {
  const { source } = call
  const now = deps.now()
  const cursor = cursorOf(deps, call)
  const filter = limitHistory(deps, actor, cursor, { now, isFirst: typeof call.body.cursor !== 'string' })
  const { instruments, warnings } = selectInstruments(await deps.instruments.list(), actor, filter)
  rejectExpiredCursor(instruments, source, cursor)
  const isOpen = filter.order === 'asc' && (filter.end === undefined || BigInt(filter.end) > nanosecondsOf(now))
  return { cursor, filter, instruments, warnings, isOpen, now, source }
}

/** The signed cursor of the page that begins beyond `next.after`. */
export function nextCursorOf(
  { cursorKey }: Pick<Deps, 'cursorKey'>,
  { cursor, instruments, source }: PageRequest,
  next: Pick<Cursor, 'after' | 'floors' | 'state'>,
): string {
  const { channel, filter, limit, isLimitSent } = cursor
  return signCursor(cursorKey, {
    channel,
    filter,
    limit,
    isLimitSent,
    retainedFrom: newestRetainedFrom(instruments, source),
    ...next,
  })
}

function cursorOf({ cursorKey }: Deps, { channel, body, requested }: PageCall): Cursor {
  if (typeof body.cursor !== 'string') {
    return {
      channel,
      filter: completeFilter(requested),
      limit: body.limit ?? PAGE_SIZE_DEFAULT,
      isLimitSent: body.limit !== undefined,
      after: undefined,
      retainedFrom: '0',
    }
  }
  const cursor = openCursor(cursorKey, channel, body.cursor)
  checkSameFilter(requested, cursor.filter)
  return body.limit === undefined ? cursor : { ...cursor, limit: body.limit, isLimitSent: true }
}

/**
 * Continuing past rows that were dropped since the last page would skip them silently. Earlier drops do not
 * matter: the pages may cover years of one instrument while another one is kept for days.
 */
export function rejectExpiredCursor(
  instruments: RegisteredInstrument[],
  channel: ChannelName,
  { filter, after, retainedFrom }: Cursor,
): void {
  if (filter.order !== 'asc' || after === undefined) return
  const newest = newestRetainedFrom(instruments, channel)
  if (compareNanoseconds(newest, retainedFrom) <= 0 || compareNanoseconds(newest, after.tsEvent) <= 0) return
  const message = 'The data after this cursor is no longer stored. Start again without a cursor.'
  throw new AppError('cursor.expired', message, { errors: [{ field: '/cursor', message }] })
}

/** One number is enough: retention drops a day of all its instruments at once. */
export function newestRetainedFrom(instruments: RegisteredInstrument[], channel: ChannelName): string {
  const times = instruments.map(({ channels }) => channels[channel].retainedFrom)
  return times.toSorted(compareNanoseconds).at(-1) ?? '0'
}
