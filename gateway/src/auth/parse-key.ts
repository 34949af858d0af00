import { hash, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type ParsedKey = { environment: 'live' | 'test'; kid: string; secret: string }

const KEY_CHARACTERS = 60
const SHAPE = /^tl_(live|test)_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})_([0-9A-Za-z]{6})$/
const CHECKSUM_FROM = 54
const BASE = 62

/** The parts of a well-formed key whose checksum is right; undefined for everything else, without a look-up. */
export function parseKey(text: string): ParsedKey | undefined {
  if (text.length !== KEY_CHARACTERS) return undefined
  const match = SHAPE.exec(text)
  if (match === null) return undefined
  if (base62Value(text, CHECKSUM_FROM) !== crc32(text.slice(0, CHECKSUM_FROM - 1))) return undefined
  const [, environment, kid = '', secret = ''] = match
  return { environment: environment === 'test' ? 'test' : 'live', kid, secret }
}

/** True when the text starts like a key of ours: it is then never tried as an access token. */
export function looksLikeKey(text: string): boolean {
  return text.startsWith('tl_')
}

/** SHA-256 and no salt: the secret has 190 random bits, so there is nothing to guess. */
export function isSecretOf(secret: string, secretSha256: Buffer): boolean {
  const given = hash('sha256', secret, 'buffer')
  return given.length === secretSha256.length && timingSafeEqual(given, secretSha256)
}

/** Value of the base62 digits (0-9 A-Z a-z) from `from` to the end of the text. */
function base62Value(text: string, from: number): number {
  let value = 0
  for (let n = from; n < text.length; n += 1) {
    const code = text.charCodeAt(n)
    if (code <= 57) value = value * BASE + code - 48
    else if (code <= 90) value = value * BASE + code - 55
    else value = value * BASE + code - 61
  }
  return value
}
