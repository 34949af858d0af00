import { createHmac, timingSafeEqual } from 'node:crypto'
import { Actor } from '@tapeline/contracts/actor'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { acceptedKeys, type InternalKeys, internalKey } from './internal-keys.ts'

/** Header with the token; the gateway removes it from every external request. */
export const ACTOR_HEADER = 'x-actor'
export const ACTOR_TOKEN_LIFE_MS = 30_000

const Claims = Type.Object({ iss: Type.String(), aud: Type.String(), exp: Type.Integer(), actor: Actor })
type Claims = Static<typeof Claims>
const claimsCheck = Compile(Claims)

export type ActorTokenInput = { caller: string; audience: string; actor: Actor; nowMs: number }

/**
 * Signs `<base64url claims>.<base64url HMAC-SHA-256>` with the key of this caller and audience; valid for 30 s.
 * @throws Error when INTERNAL_KEYS has no key for the pair
 */
export function signActorToken(keys: InternalKeys, { caller, audience, actor, nowMs }: ActorTokenInput): string {
  const key = internalKey(keys, caller, audience)
  if (key === undefined) throw new Error(`INTERNAL_KEYS has no key for ${caller}>${audience}`)
  const claims: Claims = { iss: caller, aud: audience, exp: nowMs + ACTOR_TOKEN_LIFE_MS, actor }
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${payload}.${mac(key, payload).toString('base64url')}`
}

/**
 * Verifies signature, audience and expiry.
 * @returns the token's actor, or undefined when invalid
 */
export function verifyActorToken(
  keys: InternalKeys,
  { token, audience, nowMs }: { token: string; audience: string; nowMs: number },
): { actor: Actor; caller: string } | undefined {
  const dot = token.indexOf('.')
  if (dot === -1) return undefined
  const claims = parseClaims(token.slice(0, dot))
  if (claims === undefined || claims.aud !== audience || claims.exp < nowMs) return undefined
  const received = Buffer.from(token.slice(dot + 1), 'base64url')
  const isSigned = acceptedKeys(keys, claims.iss, audience).some((key) => isMac(key, token.slice(0, dot), received))
  return isSigned ? { actor: claims.actor, caller: claims.iss } : undefined
}

function parseClaims(payload: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return claimsCheck.Check(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isMac(key: Buffer, payload: string, received: Buffer): boolean {
  const expected = mac(key, payload)
  return received.length === expected.length && timingSafeEqual(received, expected)
}

function mac(key: Buffer, payload: string): Buffer {
  return createHmac('sha256', key).update(payload).digest()
}
