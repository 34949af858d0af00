import { createHash, randomBytes } from 'node:crypto'
import { encrypt, decrypt } from '@tapeline/service/encryption'

const TOKEN_BYTES = 32
const PURPOSE = 'successor of a refresh token'

export function newRefreshToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** SHA-256 without a salt: a token has 256 random bits, so it cannot be guessed. */
export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Encrypts the successor with the old token, so that the database alone reveals neither. */
export function encryptSuccessor(token: string, successor: string): Buffer {
  return encrypt({ secret: token, purpose: PURPOSE }, successor)
}

export function decryptSuccessor(token: string, sealed: Buffer): string {
  return decrypt({ secret: token, purpose: PURPOSE }, sealed)
}
