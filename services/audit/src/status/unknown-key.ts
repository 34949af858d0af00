import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KID_BYTES = 6
const SECRET_BYTES = 16
const CHECKSUM_CHARACTERS = 6

/** A well-formed API key that does not exist, a new one each time, so that the gateway has to look it up in api-key. */
export function unknownKey(): string {
  return withChecksum(`tl_live_${randomBytes(KID_BYTES).toString('hex')}_${randomBytes(SECRET_BYTES).toString('hex')}`)
}

/** CRC32 in base62, as in every key: without it the gateway would reject the key without a lookup. */
export function withChecksum(body: string): string {
  let [remainder, text] = [crc32(body), '']
  while (text.length < CHECKSUM_CHARACTERS) {
    text = ALPHABET.charAt(remainder % ALPHABET.length) + text
    remainder = Math.floor(remainder / ALPHABET.length)
  }
  return `${body}_${text}`
}
