import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '@tapeline/service/app-error'
import type { ChannelName } from '../tables.ts'
import type { Filter } from './filter.ts'

/** A place in the order (ts_event, instrument_id, sequence); numbers as digits where they may be large. */
export type Key = { tsEvent: string; instrumentId: number; sequence: string }

/**
 * What a next page needs to know; without `after` nothing was read yet. `keptFrom`: the newest time (ns) from which one of
 * its instruments was kept when the last page was read, '0' when nothing was ever dropped.
 */
export type Cursor = { channel: ChannelName; filter: Filter; limit: number; after: Key | undefined; keptFrom: string }

/** Raised when the payload changes its shape: older cursors are refused then. */
const VERSION = 2
const MAC_BYTES = 16
const HEAD_BYTES = 1 + MAC_BYTES

/** Opaque base64url: version, HMAC-SHA-256 cut to 16 bytes, JSON. */
export function signCursor(key: Buffer, { channel, filter, limit, after, keptFrom }: Cursor): string {
  const place = after && [after.tsEvent, after.instrumentId, after.sequence]
  const payload = Buffer.from(JSON.stringify({ c: channel, f: filter, n: limit, k: place, r: keptFrom }))
  return Buffer.concat([Buffer.of(VERSION), macOf(key, payload), payload]).toString('base64url')
}

/** Throws `cursor.invalid` for everything that this service has not signed for this channel. */
export function openCursor(key: Buffer, channel: ChannelName, text: string): Cursor {
  const bytes = Buffer.from(text, 'base64url')
  const payload = bytes.subarray(HEAD_BYTES)
  const mac = bytes.subarray(1, HEAD_BYTES)
  const isGenuine =
    bytes[0] === VERSION &&
    mac.length === MAC_BYTES &&
    timingSafeEqual(mac, macOf(key, payload)) &&
    isCanonical(text, bytes)
  if (!isGenuine) throw invalidCursor()
  // Genuine, so it has the shape that signCursor gave it under this version.
  const { c, f, n, k, r } = JSON.parse(payload.toString()) as {
    c: ChannelName
    f: Filter
    n: number
    k?: [string, number, string]
    r: string
  }
  if (c !== channel) throw invalidCursor()
  const after = k && { tsEvent: k[0], instrumentId: k[1], sequence: k[2] }
  return { channel, filter: f, limit: n, after, keptFrom: r }
}

/** Each field that is given beside a cursor must be what the first call of the walk said. */
export function checkSameFilter(given: Partial<Filter>, filter: Filter): void {
  const signed: Record<string, unknown> = filter
  for (const [name, value] of Object.entries(given)) {
    if (JSON.stringify(value) === JSON.stringify(signed[name])) continue
    const message = `${name} differs from the call that this cursor continues; send only the cursor, or the same filter.`
    throw new AppError('cursor.filter_mismatch', message, { errors: [{ field: `/${name}`, message }] })
  }
}

function macOf(key: Buffer, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(Buffer.of(VERSION)).update(payload).digest().subarray(0, MAC_BYTES)
}

/** Decoding skips foreign characters; a cursor with any of them was not ours. */
function isCanonical(text: string, bytes: Buffer): boolean {
  return bytes.toString('base64url') === text
}

function invalidCursor(): AppError {
  const message = 'This cursor is not valid: use next_cursor of an answer to the same call, unchanged.'
  return new AppError('cursor.invalid', message, { errors: [{ field: '/cursor', message }] })
}
