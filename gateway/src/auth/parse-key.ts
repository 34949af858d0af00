import { hash, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyKind } from '@tapeline/contracts/api-key/http'
import { importedKeyHash, importedKid } from '@tapeline/service/keys/imported-key'

export type ParsedKey = { kind: KeyKind; environment: 'live' | 'test'; kid: string; secret: string }

const KEY_CHARACTERS_MAX = 60
const SHAPE = /^tl_(live|test|svc)_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})_([0-9A-Za-z]{6})$/
const CHECKSUM_CHARACTERS = 6
const BASE = 62
const ACCESS_TOKEN_PARTS = 3

/** The parts of a well-formed key whose checksum is right; undefined for everything else, without a look-up. */
export function parseKey(text: string): ParsedKey | undefined {
  if (text.length > KEY_CHARACTERS_MAX) return undefined
  const match = SHAPE.exec(text)
  if (match === null) return undefined
  const checksumFrom = text.length - CHECKSUM_CHARACTERS
  if (base62Value(text, checksumFrom) !== crc32(text.slice(0, checksumFrom - 1))) return undefined
  const [, label, kid = '', secret = ''] = match
  return {
    kind: label === 'svc' ? 'service' : 'data',
    environment: label === 'test' ? 'test' : 'live',
    kid,
    secret,
  }
}

/** Shorter keys of other gateways could be guessed. */
const FOREIGN_CHARACTERS_MIN = 16
const FOREIGN_CHARACTERS_MAX = 200
const PRINTABLE = /^[\x21-\x7e]+$/

/** A key that another gateway issued, which may have been imported: it is looked up by its hash. */
export function parseForeignKey(text: string): ParsedKey | undefined {
  if (text.length < FOREIGN_CHARACTERS_MIN || text.length > FOREIGN_CHARACTERS_MAX) return undefined
  if (text.startsWith('tl_') || !PRINTABLE.test(text)) return undefined
  return { kind: 'data', environment: 'live', kid: importedKid(importedKeyHash(text)), secret: text }
}

/** True for a credential to check as a key, false for one to check as an access token, which has three parts. */
export function looksLikeKey(text: string): boolean {
  return text.startsWith('tl_') || text.split('.').length !== ACCESS_TOKEN_PARTS
}

/** SHA-256 and no salt: the secret has 190 random bits, so there is nothing to guess. */
export function isSecretOf(secret: string, secretSha256: Buffer): boolean {
  const digest = hash('sha256', secret, 'buffer')
  return digest.length === secretSha256.length && timingSafeEqual(digest, secretSha256)
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
