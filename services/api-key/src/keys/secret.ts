import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KID_CHARACTERS = 12
const SECRET_CHARACTERS = 32
const CHECKSUM_CHARACTERS = 6
/** The largest multiple of 62 in a byte: higher bytes are discarded, so that all characters are equally likely. */
const FAIR_BYTES = 248

export type Environment = 'live' | 'test'
export type NewSecret = { apiKey: string; kid: string; secretSha256: Buffer }

/** `tl_live_<kid>_<secret>_<checksum>`: the kid is public, the secret is stored only as its hash. */
export function newSecret(environment: Environment): NewSecret {
  const kid = randomBase62(KID_CHARACTERS)
  const secret = randomBase62(SECRET_CHARACTERS)
  return { apiKey: formatKey(environment, kid, secret), kid, secretSha256: hashSecret(secret) }
}

export function formatKey(environment: Environment, kid: string, secret: string): string {
  const body = `${keyPrefix(environment, kid)}_${secret}`
  return `${body}_${checksum(body)}`
}

/** The part of a key shown in lists: nothing of the secret. */
export function keyPrefix(environment: Environment, kid: string): string {
  return `tl_${environment}_${kid}`
}

/** CRC32 in base62: lets a gateway reject malformed keys and typing errors without a lookup. */
export function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  while (text.length < CHECKSUM_CHARACTERS) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text
    rest = Math.floor(rest / ALPHABET.length)
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
