import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KID_BYTES = 6
const SECRET_BYTES = 16
const CHECKSUM_CHARACTERS = 6

/** An API key of the right form that nobody has, another one each time: only their owner can say so. */
export function unknownKey(): string {
  return withChecksum(`tl_live_${randomBytes(KID_BYTES).toString('hex')}_${randomBytes(SECRET_BYTES).toString('hex')}`)
}

/** CRC32 in base62, as every key ends: without it the gateway would turn it away by itself. */
export function withChecksum(body: string): string {
  let [rest, text] = [crc32(body), '']
  while (text.length < CHECKSUM_CHARACTERS) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return `${body}_${text}`
}
