import { createHash, randomBytes } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { seal, unseal } from '../sessions/seal.ts'

const SECRET_BYTES = 32

/** 256 bits: a state, a nonce, a PKCE verifier, a binding. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** What is stored of a state. No salt: there is nothing to guess in 256 bits. */
export function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}

export type Bound = { binding: string; purpose: string }

/** Readable only with the server's secret and what the browser that began has kept: the database or an address alone is worth nothing. */
export function sealFor(deps: Pick<Deps, 'secret'>, { binding, purpose }: Bound, text: string): Buffer {
  return seal({ secret: deps.secret + binding, purpose }, text)
}

/** Undefined for another browser's binding. */
export function unsealFor(deps: Pick<Deps, 'secret'>, { binding, purpose }: Bound, sealed: Buffer): string | undefined {
  try {
    return unseal({ secret: deps.secret + binding, purpose }, sealed)
  } catch {
    return undefined
  }
}
