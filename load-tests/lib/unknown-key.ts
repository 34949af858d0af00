import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECKSUM_DIGITS = 6

/** A well-formed key with a valid checksum that no platform has issued; with `kid`, a wrong secret of that key. */
export function unknownKey(kid = randomDigits(12)): string {
  const body = `tl_live_${kid}_${randomDigits(32)}`
  let checksum = ''
  for (
    let remainder = crc32(body);
    checksum.length < CHECKSUM_DIGITS;
    remainder = Math.floor(remainder / DIGITS.length)
  ) {
    checksum = (DIGITS[remainder % DIGITS.length] ?? '') + checksum
  }
  return `${body}_${checksum}`
}

function randomDigits(count: number): string {
  return [...randomBytes(count)].map((byte) => DIGITS[byte % DIGITS.length]).join('')
}
