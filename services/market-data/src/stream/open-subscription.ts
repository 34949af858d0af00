import type { UserActor } from '@tapeline/contracts/actor'
import { PAGE_SIZE_DEFAULT } from '@tapeline/contracts/market-data/http'
import { STREAM_BOOKS_MAX, type StreamChannel, type Subscribe } from '@tapeline/contracts/market-data/stream'
import { AppError } from '@tapeline/service/app-error'
import { barOf } from '../bars/bar-spec.ts'
import type { Deps } from '../deps.ts'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { selectInstruments, type Warning } from '../instruments/select-instruments.ts'
import { hasHistory, limitHistory } from '../records/check-history.ts'
import { checkSameFilter, type Cursor, type CursorChannel, type Key, openCursor } from '../records/cursor.ts'
import { completeFilter, type Filter, invalid, requestedFilter } from '../records/filter.ts'
import { newestRetainedFrom, rejectExpiredCursor } from '../records/page-request.ts'
import type { ChannelName } from '../tables.ts'
import { barIntervalOf } from './bars/bar-channel.ts'
import { bookChannelOf } from './book/book-channel.ts'
import { FIRST_POSITION } from './position.ts'

/** The stored channel from which a channel of the stream is derived. */
function sourceOf(channel: StreamChannel): ChannelName {
  return channel === 'l2events' || bookChannelOf(channel) !== undefined ? 'l2_event' : 'trade'
}

/** The list call whose cursors it accepts. */
function cursorChannelOf(channel: StreamChannel): CursorChannel {
  if (channel === 'bbo') return 'quote'
  return barIntervalOf(channel) === undefined ? sourceOf(channel) : 'bar'
}

/** The validated parameters of a subscription. */
export type SubscriptionParameters = {
  id: string
  channel: ChannelName
  cursorChannel: CursorChannel
  /** The filter as signed into cursors. */
  filter: Filter
  limit: number
  instruments: RegisteredInstrument[]
  warnings: Warning[]
  retainedFrom: string
  /** Where it begins; without it at `start`, or without both with the first record from now on. */
  after: Key | undefined
  /** ns; that of the filter, or for a list cursor without a position the beginning of its list. */
  start: string | undefined
  floors: readonly Key[] | undefined
  /** Whether the account may continue from any place; otherwise only from one of the last 24 hours. */
  hasHistory: boolean
  /** State of the cursor in addition to the place. */
  cursorState: unknown
}

/**
 * Reads a subscription the way a list call reads its body.
 * @throws AppError with the codes of the list calls
 */
export async function openSubscription(
  deps: Deps,
  actor: UserActor,
  message: Subscribe,
): Promise<SubscriptionParameters> {
  const channel = sourceOf(message.channel)
  const cursor = cursorOf(deps, message)
  const isFirst = typeof message.cursor !== 'string'
  const start = startOf(deps, actor, cursor, isFirst)
  const { instruments, warnings } = selectInstruments(await deps.instruments.list(), actor, cursor.filter)
  if (bookChannelOf(message.channel) !== undefined && instruments.length > STREAM_BOOKS_MAX) {
    throw invalid('/symbols', 'maxInstruments', String(STREAM_BOOKS_MAX))
  }
  rejectExpiredCursor(instruments, channel, cursor)
  const { filter, limit, after, floors, state: cursorState } = cursor
  const retainedFrom = newestRetainedFrom(instruments, channel)
  const place = { retainedFrom, after, start, floors, hasHistory: hasHistory(actor), cursorState }
  return { id: message.id, channel, cursorChannel: cursor.channel, filter, limit, instruments, warnings, ...place }
}

/**
 * A list that had no records yet has a cursor without a position: its records begin where the history of the account
 * begins.
 */
function startOf(deps: Deps, actor: UserActor, cursor: Cursor, isFirst: boolean): string | undefined {
  const { filter, after } = cursor
  if (isFirst && filter.start === undefined) return undefined
  const limited = limitHistory(deps, actor, cursor, { now: deps.now(), isFirst })
  return after === undefined ? (limited.start ?? FIRST_POSITION.tsEvent) : filter.start
}

function cursorOf({ cursorKey }: Deps, message: Subscribe): Cursor {
  const interval = barIntervalOf(message.channel)
  const channel = cursorChannelOf(message.channel)
  const bar = interval === undefined ? {} : { bar: { by: 'time', interval, timeZone: 'UTC' } as const }
  const requested = { ...requestedFilter(message), ...bar }
  if (typeof message.cursor !== 'string') {
    refuseForeignFields(message)
    const filter = completeFilter(requested)
    return { channel, filter, limit: PAGE_SIZE_DEFAULT, after: undefined, retainedFrom: '0' }
  }
  const cursor = openCursor(cursorKey, channel, message.cursor)
  // A list call without a bar uses the default one.
  checkSameFilter(requested, interval === undefined ? cursor.filter : { ...cursor.filter, bar: barOf(cursor.filter) })
  if (cursor.filter.order === 'desc') throw notStreamed('order', 'a stream goes forward in time')
  if (cursor.filter.end !== undefined) throw notStreamed('end', 'a stream has no end')
  return channel === 'l2_event' && message.channel !== 'l2events' ? withWholeEvents(cursor) : cursor
}

/** A book needs every event with all levels, regardless of the filter of the list call. */
function withWholeEvents(cursor: Cursor): Cursor {
  const { order, time_format, venues, symbols, start } = cursor.filter
  const requested = { order, time_format, venues, symbols, start }
  const filter = completeFilter(
    Object.fromEntries(Object.entries(requested).filter(([, value]) => value !== undefined)),
  )
  return { ...cursor, filter }
}

const OF_TRADES = ['side', 'price', 'size', 'include'] as const
const OF_L2_EVENTS = ['types', 'depth'] as const
const OF_RECORDS = [...OF_TRADES, ...OF_L2_EVENTS] as const

function refuseForeignFields(message: Subscribe): void {
  const field = foreignFieldsOf(message.channel).find((name) => message[name] !== undefined)
  if (field === undefined) return
  const text = `${field} does not apply to the channel ${message.channel}.`
  throw new AppError('filter.invalid', text, { errors: [{ field: `/${field}`, message: text, rule: 'channel' }] })
}

function foreignFieldsOf(channel: StreamChannel): readonly (typeof OF_RECORDS)[number][] {
  if (channel === 'trades') return OF_L2_EVENTS
  return channel === 'l2events' ? OF_TRADES : OF_RECORDS
}

function notStreamed(field: string, why: string): AppError {
  const message = `This cursor belongs to a list call with ${field}, but ${why}: list without ${field} first.`
  return new AppError('cursor.filter_mismatch', message, { errors: [{ field: `/${field}`, message }] })
}
