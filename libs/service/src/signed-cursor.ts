import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from './app-error.ts'

/**
 * What signs the cursors of one service. `version` is one byte: a service increments it when its fields change their
 * shape, and older cursors are then rejected.
 */
export type CursorSigner = { key: Buffer; version: number }

const MAC_BYTES = 16
const HEAD_BYTES = 1 + MAC_BYTES

/** An opaque cursor, base64url: version, HMAC-SHA-256 truncated to 16 bytes, and `fields` as JSON. */
export function signFields(signer: CursorSigner, fields: object): string {
  const payload = Buffer.from(JSON.stringify(fields))
  return Buffer.concat([Buffer.of(signer.version), macOf(signer, payload), payload]).toString('base64url')
}

/**
 * The fields of a cursor made by `signFields`. The signature is valid, so they have the shape of this version.
 * @throws AppError `cursor.invalid` for any other text
 */
export function openFields<Fields>(signer: CursorSigner, text: string): Fields {
  const bytes = Buffer.from(text, 'base64url')
  const payload = bytes.subarray(HEAD_BYTES)
  const mac = bytes.subarray(1, HEAD_BYTES)
  const isGenuine =
    bytes[0] === signer.version &&
    mac.length === MAC_BYTES &&
    timingSafeEqual(mac, macOf(signer, payload)) &&
    // Decoding skips characters that are not base64url.
    bytes.toString('base64url') === text
  if (!isGenuine) throw invalidCursor()
  return JSON.parse(payload.toString())
}

/** The error for a cursor that was not signed here, or was signed for another call. */
export function invalidCursor(): AppError {
  const message = 'This cursor is not valid: use next_cursor of a response to the same call, unchanged.'
  return new AppError('cursor.invalid', message, { errors: [{ field: '/cursor', message }] })
}

function macOf({ key, version }: CursorSigner, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(Buffer.of(version)).update(payload).digest().subarray(0, MAC_BYTES)
}
