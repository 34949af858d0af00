import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { AppError } from '@tapeline/service/app-error'
import type { Exchange } from './exchange.ts'
import type { Gateway } from './gateway.ts'
import { TooManyKeys } from './key-lookups.ts'
import type { Caller } from './known-account.ts'
import { digestOf } from './known-keys.ts'
import { isSecretOf, looksLikeKey, parseKey, type ParsedKey } from './parse-key.ts'
import { accountUnavailable, type Refusal, refusal } from './refusal.ts'
import { tooManyFailures, tooManyRequests } from './throttles.ts'

export type Credential = { kind: 'none' } | { kind: 'key'; text: string } | { kind: 'token'; text: string }
/** `isWrong`: a guess at a credential, which the failure bucket of its address counts. */
export type Failure = { refusal: Refusal; isWrong: boolean }

const NONE: Credential = { kind: 'none' }
const IN_QUERY = /[?&](api[_-]?key|x-api-key|access[_-]?token|authorization)=|tl_(live|test)_[0-9A-Za-z]{12}_/i

const missing: Failure = { refusal: refusal('credential.missing', 'Sign in or send an API key.'), isWrong: false }
const invalid = refusal('credential.invalid', 'The API key or access token is not valid.')
export const invalidCredential: Failure = { refusal: invalid, isWrong: true }
const expired: Failure = { refusal: invalid, isWrong: false }
/** A wrong key is answered at a multiple of this time, so that the answer does not show how long its look-up took. */
const WRONG_KEY_ANSWER_EVERY_MS = 25
/** Compared with when there is no key of that kid, so that the comparison takes as long as with one. */
const NO_SECRET = Buffer.alloc(32)
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
  const fail = (failure: Failure) => onFailure(exchange, failure.isWrong ? wrongFrom(exchange, failure) : failure)
  if (credential.kind === 'none') {
    fail(missing)
    return
  }
  const found =
    credential.kind === 'key' ? callerByKey(gateway, credential.text) : callerByToken(gateway, credential.text)
  if (found === 'unknown') {
    authenticateSlowly(exchange, credential).then(
      (late) => ('account' in late ? onCaller(exchange, late) : fail(late)),
      (error: unknown) => fail(uncheckedBecause(error, gateway)),
    )
  } else if ('account' in found) onCaller(exchange, found)
  else fail(found)
}

/** Once the bucket of an address is full, its wrong credentials are not counted any more. */
function wrongFrom({ gateway, address }: Exchange, failure: Failure): Failure {
  const leftMs = gateway.failures.blockedForMs(address)
  if (leftMs === 0) return failure
  gateway.metrics.wrongCredentials += 1
  return throttled(tooManyFailures(leftMs))
}

function uncheckedBecause(error: unknown, { logger }: Gateway): Failure {
  if (error instanceof TooManyKeys) return throttled(tooManyRequests(error.retryAfterMs))
  logger.warn({ err: error }, 'a credential could not be checked')
  return { refusal: accountUnavailable, isWrong: false }
}

function throttled({ code, message, headers }: AppError): Failure {
  return { refusal: { code, text: message, headers: Object.entries(headers).flat() }, isWrong: false }
}

function callerByKey(gateway: Gateway, text: string): Caller | Failure | 'unknown' {
  const parsed = parseKey(text)
  if (parsed === undefined) return invalidCredential
  return callerOf(gateway, parsed) ?? 'unknown'
}

function callerOf(gateway: Gateway, { kid, secret, environment }: ParsedKey): Caller | undefined {
  const key = gateway.known.findKey(kid)
  const record = key?.record.value
  const digest = key === undefined || record === undefined ? NO_SECRET : digestOf(key, record)
  const isRight = isSecretOf(secret, digest)
  if (key === undefined || record === undefined || !isRight || environment !== record.environment) return undefined
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

async function authenticateSlowly(exchange: Exchange, credential: Credential): Promise<Caller | Failure> {
  const { gateway, address } = exchange
  if (credential.kind === 'key') {
    const parsed = parseKey(credential.text)
    if (parsed === undefined) return invalidCredential
    const startedMs = performance.now()
    await gateway.known.lookUp(parsed.kid, address)
    const caller = callerOf(gateway, parsed)
    if (caller !== undefined) return caller
    await delay(WRONG_KEY_ANSWER_EVERY_MS - ((performance.now() - startedMs) % WRONG_KEY_ANSWER_EVERY_MS))
    return invalidCredential
  }
  if (credential.kind === 'none') return missing
  const claims = await gateway.tokens.read(credential.text)
  const caller = claims === undefined ? 'unknown' : callerByToken(gateway, credential.text)
  return caller === 'unknown' ? (isExpired(credential.text, gateway.now()) ? expired : invalidCredential) : caller
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
