import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** One secret of 256 bits, or several while one is replaced, newest first: the first encrypts, all decrypt. */
export type Secrets = string | readonly [string, ...string[]]
export type EncryptionKey = { secret: Secrets; purpose: string }

/** Comma-separated secrets, newest first. */
export function readSecrets(text: string): readonly [string, ...string[]] {
  const [newest = '', ...older] = text.split(',')
  return [newest, ...older]
}

/** The secrets, newest first. */
export function secretsOf(secrets: Secrets): readonly [string, ...string[]] {
  return typeof secrets === 'string' ? [secrets] : secrets
}

/**
 * Encrypts with AES-256-GCM under a key derived from the newest secret for one purpose.
 * @returns nonce, tag, ciphertext
 */
export function encrypt({ secret, purpose }: EncryptionKey, plaintext: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, derive(secretsOf(secret)[0], purpose), nonce, { authTagLength: TAG_BYTES })
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/**
 * Decrypts and authenticates.
 * @throws when no secret encrypted the data, the purpose differs, or the data was modified
 */
export function decrypt({ secret, purpose }: EncryptionKey, sealed: Buffer): string {
  const [newest, ...older] = secretsOf(secret)
  try {
    return decryptWith(derive(newest, purpose), sealed)
  } catch (error) {
    const [next, ...rest] = older
    if (next === undefined) throw error
    return decrypt({ secret: [next, ...rest], purpose }, sealed)
  }
}

/** False for data that an older secret encrypted, or none. */
export function isEncryptedWithNewest({ secret, purpose }: EncryptionKey, sealed: Buffer): boolean {
  try {
    decryptWith(derive(secretsOf(secret)[0], purpose), sealed)
    return true
  } catch {
    return false
  }
}

function decryptWith(key: Buffer, sealed: Buffer): string {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const ciphertext = sealed.subarray(NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES))
}
