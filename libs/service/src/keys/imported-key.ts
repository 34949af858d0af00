import { createHash, hash } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KID_CHARACTERS = 12
const PURPOSE = 'kid of an imported key '

/** SHA-256 of a whole key that another gateway issued. */
export function importedKeyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/**
 * The kid under which a key of another gateway is looked up: such a key has no public part, so it is derived from the
 * key's SHA-256. A kid is public; it is hashed once more, so that it shows no part of the stored hash.
 */
export function importedKid(sha256: Buffer): string {
  const digest = createHash('sha256').update(PURPOSE).update(sha256).digest()
  let kid = ''
  for (let n = 0; n < KID_CHARACTERS; n += 1) kid += ALPHABET.charAt(digest.readUInt16BE(2 * n) % ALPHABET.length)
  return kid
}
