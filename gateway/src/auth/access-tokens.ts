import { createPublicKey } from 'node:crypto'
import {
  ACCESS_TOKEN_ALGORITHM,
  ACCESS_TOKEN_AUDIENCE,
  ACCESS_TOKEN_ISSUER,
  ACCESS_TOKEN_TYPE,
  AccessTokenClaims,
  type PublicKeys,
} from '@tapeline/contracts/identity/access-token'
import { Value } from 'typebox/value'

/** `app.jwt.verify` of @fastify/jwt: throws unless the token is genuine and unexpired. */
export type VerifyToken = (token: string, options: VerifyOptions) => unknown
export type VerifyOptions = {
  key: string
  algorithms: [typeof ACCESS_TOKEN_ALGORITHM]
  allowedIss: string
  allowedAud: string
  checkTyp: string
  requiredClaims: string[]
}
export type AccessTokensOptions = {
  verify: VerifyToken
  fetchPublicKeys: () => Promise<PublicKeys>
  nowMs: () => number
}

const CACHED_TOKENS_MAX = 20_000
const TOKEN_CHARACTERS_MAX = 4_096
/** An unknown `kid` loads identity's keys again, but not more often than this. */
const RELOAD_AFTER_MS = 1_000

/** Verified access tokens, cached by the whole token until they expire. */
export class AccessTokens {
  private readonly verified = new Map<string, AccessTokenClaims>()
  private keys: Map<string, string> | undefined
  private requestedAtMs = -Infinity
  private loading: Promise<void> | undefined
  private readonly options: AccessTokensOptions

  constructor(options: AccessTokensOptions) {
    this.options = options
  }

  /** The claims of a token that was verified before and has not expired. */
  find(token: string): AccessTokenClaims | undefined {
    const claims = this.verified.get(token)
    if (claims === undefined) return undefined
    if (claims.exp * 1_000 > this.options.nowMs()) return claims
    this.verified.delete(token)
    return undefined
  }

  /** The claims, or undefined when the token is not one of ours or has expired. Throws when identity's keys cannot be loaded. */
  async read(token: string): Promise<AccessTokenClaims | undefined> {
    const kid = token.length > TOKEN_CHARACTERS_MAX ? undefined : keyIdOf(token)
    if (kid === undefined) return undefined
    const key = await this.findKey(kid)
    const claims = key === undefined ? undefined : this.verify(token, key)
    if (claims === undefined) return undefined
    if (this.verified.size >= CACHED_TOKENS_MAX) this.evictOldest()
    this.verified.set(token, claims)
    return claims
  }

  async loadKeys(): Promise<void> {
    this.loading ??= this.fetchKeys().finally(() => (this.loading = undefined))
    await this.loading
  }

  private async findKey(kid: string): Promise<string | undefined> {
    const isDue = this.options.nowMs() - this.requestedAtMs > RELOAD_AFTER_MS
    if (this.keys === undefined || (!this.keys.has(kid) && (isDue || this.loading !== undefined))) await this.loadKeys()
    return this.keys?.get(kid)
  }

  private async fetchKeys(): Promise<void> {
    this.requestedAtMs = this.options.nowMs()
    const { keys } = await this.options.fetchPublicKeys()
    this.keys = new Map(
      keys.map((jwk) => [
        jwk.kid,
        createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString(),
      ]),
    )
  }

  private verify(token: string, key: string): AccessTokenClaims | undefined {
    try {
      const claims = this.options.verify(token, {
        key,
        algorithms: [ACCESS_TOKEN_ALGORITHM],
        allowedIss: ACCESS_TOKEN_ISSUER,
        allowedAud: ACCESS_TOKEN_AUDIENCE,
        checkTyp: ACCESS_TOKEN_TYPE,
        requiredClaims: ['exp', 'iat', 'sub', 'sid', 'jti'],
      })
      return Value.Check(AccessTokenClaims, claims) ? claims : undefined
    } catch {
      return undefined
    }
  }

  private evictOldest(): void {
    for (const token of this.verified.keys()) {
      this.verified.delete(token)
      if (this.verified.size < CACHED_TOKENS_MAX * 0.9) return
    }
  }
}

/** `kid` of the token's header, not trusted until the signature is verified. */
function keyIdOf(token: string): string | undefined {
  const dot = token.indexOf('.')
  if (dot <= 0) return undefined
  try {
    const header: unknown = JSON.parse(Buffer.from(token.slice(0, dot), 'base64url').toString())
    if (typeof header !== 'object' || header === null || !('kid' in header)) return undefined
    return typeof header.kid === 'string' ? header.kid : undefined
  } catch {
    return undefined
  }
}
