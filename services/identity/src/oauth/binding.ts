import { createHash, randomBytes } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { decrypt, encrypt, type EncryptionKey, secretsOf } from '@tapeline/service/encryption'

const SECRET_BYTES = 32

/** 256 random bits: a state, a nonce, a PKCE verifier, a binding. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** The stored hash of a state. No salt: a state has 256 random bits. */
export function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}

export type Bound = { binding: string; purpose: string }

/**
 * Encrypts with the server's secret and the binding in the browser that started the flow, so that neither the
 * database nor a URL is sufficient.
 */
export function encryptFor(deps: Pick<Deps, 'secret'>, { binding, purpose }: Bound, text: string): Buffer {
  return encrypt(keyFor(deps, { binding, purpose }), text)
}

/** Decrypts; undefined for another browser's binding. */
export function decryptFor(
  deps: Pick<Deps, 'secret'>,
  { binding, purpose }: Bound,
  sealed: Buffer,
): string | undefined {
  try {
    return decrypt(keyFor(deps, { binding, purpose }), sealed)
  } catch {
    return undefined
  }
}

function keyFor(deps: Pick<Deps, 'secret'>, { binding, purpose }: Bound): EncryptionKey {
  const [newest, ...older] = secretsOf(deps.secret)
  return { secret: [newest + binding, ...older.map((one) => one + binding)], purpose }
}
