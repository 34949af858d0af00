import type { IncomingHttpHeaders } from 'node:http'
import type { Exchange } from './exchange.ts'
import type { Gateway } from './gateway.ts'
import type { Caller } from './known-account.ts'
import { digestOf } from './known-keys.ts'
import { isSecretOf, looksLikeKey, parseKey, type ParsedKey } from './parse-key.ts'
import { accountUnavailable, type Refusal, refusal } from './refusal.ts'

export type Credential = { kind: 'none' } | { kind: 'key'; text: string } | { kind: 'token'; text: string }
/** `isWrong`: a guess at a credential, which the failure bucket of its address counts. */
export type Failure = { refusal: Refusal; isWrong: boolean }

const NONE: Credential = { kind: 'none' }
const IN_QUERY = /[?&](api[_-]?key|x-api-key|access[_-]?token|authorization)=|tl_(live|test)_[0-9A-Za-z]{12}_/i

const missing: Failure = { refusal: refusal('credential.missing', 'Sign in or send an API key.'), isWrong: false }
const invalid = refusal('credential.invalid', 'The API key or access token is not valid.')
export const invalidCredential: Failure = { refusal: invalid, isWrong: true }
const expired: Failure = { refusal: invalid, isWrong: false }
const blocked: Failure = {
  refusal: refusal('throttle.exceeded', 'Too many wrong credentials came from your address. Wait a minute.', 60),
  isWrong: false,
}
export const keyInQuery = refusal(
  'credential.in_query',
  'Send the API key in the Authorization or x-api-key header, not in the address.',
)

/** A key in an address ends up in logs and histories: such a request is refused whatever else it carries. */
export function hasKeyInQuery(url: string): boolean {
  return (url.includes('?') || url.includes('tl_')) && IN_QUERY.test(url)
}

export function readCredential({ authorization, 'x-api-key': apiKey }: IncomingHttpHeaders): Credential {
  if (typeof apiKey === 'string') return { kind: 'key', text: apiKey }
  if (authorization === undefined) return NONE
  const text = bearerText(authorization)
  if (text === undefined) return { kind: 'token', text: '' }
  return looksLikeKey(text) ? { kind: 'key', text } : { kind: 'token', text }
}

function bearerText(authorization: string): string | undefined {
  if (!authorization.startsWith('Bearer ') && !/^bearer /i.test(authorization)) return undefined
  return authorization.slice(7).trim()
}

/**
 * Calls back with who asks, or with why not; at once when everything is known, which is the usual case.
 * Also a known caller's records may have to be loaded: that is the next step's business.
 */
export function authenticate(
  exchange: Exchange,
  credential: Credential,
  onCaller: (exchange: Exchange, caller: Caller) => void,
  onFailure: (exchange: Exchange, failure: Failure) => void,
): void {
  const { gateway } = exchange
  if (credential.kind === 'none') {
    onFailure(exchange, missing)
    return
  }
  const found =
    credential.kind === 'key' ? callerByKey(gateway, credential.text) : callerByToken(gateway, credential.text)
  if (found === 'unknown' && credential.kind === 'key' && gateway.failures.isBlocked(exchange.address)) {
    onFailure(exchange, blocked)
  } else if (found === 'unknown') {
    authenticateSlowly(exchange, credential).then(
      (late) => ('account' in late ? onCaller(exchange, late) : onFailure(exchange, late)),
      (err: unknown) => {
        gateway.logger.warn({ err }, 'a credential could not be checked')
        onFailure(exchange, { refusal: accountUnavailable, isWrong: false })
      },
    )
  } else if ('account' in found) onCaller(exchange, found)
  else onFailure(exchange, found)
}

function callerByKey(gateway: Gateway, text: string): Caller | Failure | 'unknown' {
  const parsed = parseKey(text)
  if (parsed === undefined) return invalidCredential
  const key = gateway.known.findKey(parsed.kid)
  const record = key?.record.value
  if (key === undefined || record === undefined) {
    return gateway.known.isKnownToBeUnknown(parsed.kid) ? invalidCredential : 'unknown'
  }
  if (!isSecretOf(parsed.secret, digestOf(key, record)) || parsed.environment !== record.environment)
    return invalidCredential
  return { account: gateway.known.account(record.account_id), key, session: undefined }
}

function callerByToken(gateway: Gateway, text: string): Caller | 'unknown' {
  const claims = gateway.tokens.find(text)
  if (claims === undefined) return 'unknown'
  return {
    account: gateway.known.account(claims.sub),
    key: undefined,
    session: { id: claims.sid, issuedAtS: claims.iat },
  }
}

async function authenticateSlowly({ gateway }: Exchange, credential: Credential): Promise<Caller | Failure> {
  if (credential.kind === 'key') {
    const parsed = parseKey(credential.text)
    return parsed === undefined ? invalidCredential : loadKey(gateway, parsed, credential.text)
  }
  if (credential.kind === 'none') return missing
  const claims = await gateway.tokens.read(credential.text)
  const caller = claims === undefined ? 'unknown' : callerByToken(gateway, credential.text)
  return caller === 'unknown' ? (isExpired(credential.text, gateway.now()) ? expired : invalidCredential) : caller
}

async function loadKey(gateway: Gateway, { kid }: ParsedKey, text: string): Promise<Caller | Failure> {
  const key = await gateway.known.loadKey(kid)
  if (key === undefined) return invalidCredential
  const caller = callerByKey(gateway, text)
  return caller === 'unknown' ? invalidCredential : caller
}

/** An old token is no attack: it is not counted as a failure of its address, but it opens nothing either. */
function isExpired(token: string, nowMs: number): boolean {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return false
    return typeof claims.exp === 'number' && claims.exp * 1_000 <= nowMs
  } catch {
    return false
  }
}
