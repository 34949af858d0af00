import { AppError } from '@tapeline/service/app-error'
import { invalidCursor, openFields, signFields } from '@tapeline/service/signed-cursor'
import type { ChannelName } from '../tables.ts'
import type { Filter } from './filter.ts'

/** A place in the order (ts_event, instrument_id, sequence); numbers as digits where they may be large. */
export type Key = { tsEvent: string; instrumentId: number; sequence: string }

/**
 * The state for the next page; without `after` nothing was read yet. `retainedFrom`: the newest time (ns) from which one of
 * its instruments was kept when the last page was read, '0' when nothing was ever dropped.
 */
export type Cursor = {
  channel: CursorChannel
  filter: Filter
  limit: number
  /** The limit was sent by the client, so that it also applies to streamed answers; otherwise they have their own default. */
  isLimitSent?: boolean | undefined
  after: Key | undefined
  retainedFrom: string
  /** For a stream: instruments that were read further than `after`. */
  floors?: readonly Key[] | undefined
  /** State of a derived channel from page to page, as JSON. */
  state?: unknown
}
/** The channel of a cursor: stored records, or records derived from them. */
export type CursorChannel = ChannelName | 'bar' | 'quote'

/** Incremented when the shape of `Fields` changes, so that older cursors are rejected. */
const VERSION = 2

type Place = [tsEvent: string, instrumentId: number, sequence: string]
type Fields = {
  c: CursorChannel
  f: Filter
  n: number
  l: true | undefined
  k: Place | undefined
  r: string
  p: Place[] | undefined
  s: unknown
}

export function signCursor(key: Buffer, cursor: Cursor): string {
  const { channel, filter, limit, isLimitSent = false, after, retainedFrom, floors = [], state } = cursor
  const places = floors.length === 0 ? undefined : floors.map(placeOf)
  const fields: Fields = {
    c: channel,
    f: filter,
    n: limit,
    l: isLimitSent || undefined,
    k: after && placeOf(after),
    r: retainedFrom,
    p: places,
    s: state,
  }
  return signFields({ key, version: VERSION }, fields)
}

/** @throws AppError `cursor.invalid` for a cursor that was not signed here for this channel */
export function openCursor(key: Buffer, channel: CursorChannel, text: string): Cursor {
  const { c, f, n, l = false, k, r, p, s } = openFields<Fields>({ key, version: VERSION }, text)
  if (c !== channel) throw invalidCursor()
  const size = { limit: n, isLimitSent: l }
  return { channel, filter: f, ...size, after: k && keyOf(k), retainedFrom: r, floors: p?.map(keyOf), state: s }
}

function placeOf({ tsEvent, instrumentId, sequence }: Key): Place {
  return [tsEvent, instrumentId, sequence]
}

function keyOf([tsEvent, instrumentId, sequence]: Place): Key {
  return { tsEvent, instrumentId, sequence }
}

/** Each field sent with a cursor must equal that of the first call. */
export function checkSameFilter(requested: Partial<Filter>, filter: Filter): void {
  const signed: Record<string, unknown> = filter
  for (const [name, value] of Object.entries(requested)) {
    if (JSON.stringify(value) === JSON.stringify(signed[name])) continue
    const message = `${name} differs from the call that this cursor continues; send only the cursor, or the same filter.`
    throw new AppError('cursor.filter_mismatch', message, { errors: [{ field: `/${name}`, message }] })
  }
}
