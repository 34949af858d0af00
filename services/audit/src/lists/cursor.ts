import { createHmac, timingSafeEqual } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'

/** A row of a list ordered by time and id, newest first. `time` is PostgreSQL's text form, so no digit is lost. */
export type Place = { time: string; id: string }
type PageQuery = { cursor?: string; limit?: number }
export type ListCursor<Q extends PageQuery> = {
  filter: Omit<Q, 'cursor' | 'limit'>
  limit: number
  after: Place | undefined
}

/** Increment when the payload's shape changes: older cursors are then rejected. */
const VERSION = 1
const MAC_BYTES = 16
const HEAD_BYTES = 1 + MAC_BYTES

/**
 * State of a paged read: page size, the filter of the first call, and the row to continue after.
 * @throws AppError when the cursor is not valid for this call
 */
export function readCursor<Q extends PageQuery>(
  { cursorKey: key, settings }: Pick<Deps, 'cursorKey' | 'settings'>,
  call: string,
  query: Q,
): ListCursor<Q> {
  const pageSizes = settings.valueOf('api_settings.page_sizes')
  const { cursor, limit: wanted = pageSizes.default, ...given } = query
  const limit = Math.min(wanted, pageSizes.max)
  if (cursor === undefined) return { filter: given, limit, after: undefined }
  const { c, f, k } = openCursor(key, cursor)
  if (c !== call) throw invalidCursor()
  if (Object.keys(given).length > 0 && !isDeepStrictEqual(given, f)) throw otherFilter()
  // The signature is valid, so the filter was validated by the first call.
  return { filter: f as ListCursor<Q>['filter'], limit, after: { time: k[0], id: k[1] } }
}

/** Opaque base64url: version, HMAC-SHA-256 truncated to 16 bytes, JSON. */
export function signCursor(key: Buffer, call: string, filter: object, after: Place): string {
  const payload = Buffer.from(JSON.stringify({ c: call, f: filter, k: [after.time, after.id] } satisfies Payload))
  return Buffer.concat([Buffer.of(VERSION), macOf(key, payload), payload]).toString('base64url')
}

type Payload = { c: string; f: object; k: [string, string] }

function openCursor(key: Buffer, text: string): Payload {
  const bytes = Buffer.from(text, 'base64url')
  const payload = bytes.subarray(HEAD_BYTES)
  const mac = bytes.subarray(1, HEAD_BYTES)
  const isGenuine =
    bytes[0] === VERSION &&
    mac.length === MAC_BYTES &&
    timingSafeEqual(mac, macOf(key, payload)) &&
    bytes.toString('base64url') === text
  if (!isGenuine) throw invalidCursor()
  // The signature is valid, so the payload has the shape of this version.
  return JSON.parse(payload.toString()) as Payload
}

function macOf(key: Buffer, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(Buffer.of(VERSION)).update(payload).digest().subarray(0, MAC_BYTES)
}

function invalidCursor(): AppError {
  const message = 'This cursor is not valid: use next_cursor of an answer to the same call, unchanged.'
  return new AppError('cursor.invalid', message, { errors: [{ field: '/cursor', message }] })
}

function otherFilter(): AppError {
  const message =
    'The filter differs from the call that this cursor continues: send only the cursor, or the same filter.'
  return new AppError('cursor.filter_mismatch', message, { errors: [{ field: '/cursor', message }] })
}
