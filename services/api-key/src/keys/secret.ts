import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ApiKeyRow } from '../tables.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KID_CHARACTERS = 12
const SECRET_CHARACTERS = 32
const CHECKSUM_CHARACTERS = 6
/** The largest multiple of 62 in a byte: higher bytes are discarded, so that all characters are equally likely. */
const FAIR_BYTES = 248

const SHAPE = /^tl_(live|test|svc)_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})_([0-9A-Za-z]{6})$/

/** Second word of a key: the environment of a market-data key, `svc` of a service key. */
export type KeyLabel = 'live' | 'test' | 'svc'
export type NewSecret = { apiKey: string; kid: string; secretSha256: Buffer }

/** The label under which a key of this kind and environment is issued. */
export function labelOf({ kind, environment }: Pick<ApiKeyRow, 'kind' | 'environment'>): KeyLabel {
  return kind === 'service' ? 'svc' : environment
}

/** `tl_live_<kid>_<secret>_<checksum>`: the kid is public, the secret is stored only as its hash. */
export function newSecret(label: KeyLabel): NewSecret {
  const kid = randomBase62(KID_CHARACTERS)
  const secret = randomBase62(SECRET_CHARACTERS)
  return { apiKey: formatKey(label, kid, secret), kid, secretSha256: hashSecret(secret) }
}

export function formatKey(label: KeyLabel, kid: string, secret: string): string {
  const body = `${keyPrefix(label, kid)}_${secret}`
  return `${body}_${checksum(body)}`
}

export type ReadKey = { label: KeyLabel; kid: string; secret: string }

/** The parts of a well-formed key whose checksum is right. */
export function readKey(text: string): ReadKey | undefined {
  const [whole, label, kid = '', secret = '', sum] = SHAPE.exec(text) ?? []
  if (whole === undefined || sum !== checksum(whole.slice(0, -CHECKSUM_CHARACTERS - 1))) return undefined
  return { label: label === 'live' || label === 'test' ? label : 'svc', kid, secret }
}

/** The part of a key shown in lists: nothing of the secret. */
export function keyPrefix(label: KeyLabel, kid: string): string {
  return `tl_${label}_${kid}`
}

/** CRC32 in base62: lets a gateway reject malformed keys and typing errors without a lookup. */
export function checksum(body: string): string {
  let remainder = crc32(body)
  let text = ''
  while (text.length < CHECKSUM_CHARACTERS) {
    text = ALPHABET.charAt(remainder % ALPHABET.length) + text
    remainder = Math.floor(remainder / ALPHABET.length)
  }
  return text
}

/** SHA-256 without a salt: the secret has 190 random bits, so it cannot be guessed. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function randomBase62(characters: number): string {
  let text = ''
  while (text.length < characters) {
    for (const byte of randomBytes(characters - text.length)) {
      if (byte < FAIR_BYTES) text += ALPHABET.charAt(byte % ALPHABET.length)
    }
  }
  return text
}
