import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyRecord } from '@tapeline/contracts/api-key/key-record'
import type { RateLimits, TierLimits } from '@tapeline/contracts/config/tiers'
import type { Edge } from './gateway.fixture.ts'

const TOKEN_LIFE_S = 900
const signing = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const testPublicKey = {
  ...signing.publicKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'RS256',
  kid: 'test',
}

const GENEROUS: RateLimits = {
  requestsPerMinute: 100_000,
  requestsPerHour: 1_000_000,
  requestsPerDay: 10_000_000,
  requestsPerMonth: 100_000_000,
  burstLimit: 10_000,
  concurrentRequests: 100,
}

export type TestAccount = { id: string; kid: string; apiKey: string; accessToken: string }

/** A new account with one key, whose records all owners have. */
export function addAccount(edge: Edge, rateLimits: Partial<TierLimits> = {}): TestAccount {
  const id = crypto.randomUUID()
  edge.accounts.set(id, {
    account_id: id,
    version: 1,
    role: 'user',
    status: 'active',
    not_before: 0,
    ended_session_ids: [],
  })
  edge.subscriptions.set(id, {
    account_id: id,
    version: 1,
    tier: 'pro',
    anchor: '2026-01-31T12:00:00Z',
    trial_ends_at: null,
    rate_limits: { ...GENEROUS, ...rateLimits },
    time_zone: 'UTC',
  })
  return { id, ...addKey(edge, { id }), accessToken: accessTokenFor(id) }
}

/** One more key of an account. */
export function addKey(
  edge: Edge,
  account: { id: string },
  fields: Partial<KeyRecord> = {},
): { kid: string; apiKey: string } {
  const kid = fields.kid ?? randomText(12)
  const secret = randomText(32)
  const record: KeyRecord = {
    kid,
    key_id: crypto.randomUUID(),
    account_id: account.id,
    version: 1,
    secret_sha256: createHash('sha256').update(secret).digest('hex'),
    state: 'active',
    environment: 'live',
    scopes: ['trades:read', 'l2events:read', 'stream:read'],
    networks: [],
    rate_limits: null,
    expires_at_ms: null,
    ...fields,
  }
  edge.keys.set(kid, record)
  const label = record.kind === 'service' ? 'svc' : record.environment
  const body = `tl_${label}_${kid}_${secret}`
  return { kid, apiKey: `${body}_${base62(crc32(body))}` }
}

export type TokenClaims = {
  sid?: string
  iat?: number
  exp?: number
  aud?: string
  iss?: string
  typ?: string
  kid?: string
}

export function accessTokenFor(accountId: string, claims: TokenClaims = {}): string {
  const nowS = Math.floor(Date.now() / 1_000)
  const { typ = 'at+jwt', kid = 'test', ...rest } = claims
  const payload = {
    iss: 'tapeline-identity',
    aud: 'tapeline',
    sub: accountId,
    sid: 'session-1',
    jti: crypto.randomUUID(),
    role: 'user',
    iat: nowS,
    exp: nowS + TOKEN_LIFE_S,
    ...rest,
  }
  const text = [{ alg: 'RS256', typ, kid }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), signing.privateKey).toString('base64url')}`
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function randomText(characters: number): string {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(characters)),
    (byte) => ALPHABET[byte % ALPHABET.length],
  ).join('')
}

function base62(value: number): string {
  let text = ''
  for (let remainder = value; text.length < 6; remainder = Math.floor(remainder / 62))
    text = ALPHABET.charAt(remainder % 62) + text
  return text
}
