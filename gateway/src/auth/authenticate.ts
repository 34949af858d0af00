import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@tapeline/service/logger'
import type { AccountCache } from '../account-cache/account-cache.ts'
import type { Caller } from '../account-cache/cached-account.ts'
import type { FailureBucket } from './failure-bucket.ts'
import type { GatewayMetrics } from '../operations/gateway-metrics.ts'
import { TooManyKeys } from '../account-cache/key-lookups.ts'
import { isSecretOf, looksLikeKey, parseForeignKey, parseKey, type ParsedKey } from './parse-key.ts'
import { accountUnavailable, newProblem, type Problem, tooManyFailures, tooManyRequests } from '../problems/problem.ts'
import type { AccessTokens } from './access-tokens.ts'

export type AuthDeps = {
  accounts: AccountCache
  tokens: AccessTokens
  failures: FailureBucket
  metrics: GatewayMetrics
  logger: Logger
  /** Milliseconds since 1970. */
  now: () => number
}
/** The parts of a request that authentication reads. */
export type PresentedRequest = { readonly request: IncomingMessage; readonly throttleAddress: string }

export type Credential = { kind: 'none' } | { kind: 'key'; text: string } | { kind: 'token'; text: string }
/** `isWrong`: a guess, which the failure bucket of its address counts. */
export type AuthFailure = { problem: Problem; isWrong: boolean }
/** Exactly one of them is invoked, with the request and the result. */
export type AuthHandlers<R> = {
  onCaller: (request: R, caller: Caller) => void
  onFailure: (request: R, failure: AuthFailure) => void
}

const NONE: Credential = { kind: 'none' }
const IN_QUERY = /[?&](api[_-]?key|x-api-key|access[_-]?token|authorization)=|tl_(live|test|svc)_[0-9A-Za-z]{12}_/i

const missing: AuthFailure = {
  problem: newProblem('credential.missing', 'Sign in or send an API key.'),
  isWrong: false,
}
const invalid = newProblem('credential.invalid', 'The API key or access token is not valid.')
const wrong: AuthFailure = { problem: invalid, isWrong: true }
const expired: AuthFailure = { problem: invalid, isWrong: false }
/** Wrong keys are answered at multiples of this time, so that the answer does not show how long the look-up took. */
export const WRONG_KEY_ANSWER_EVERY_MS = 25
/** Compared with when no key has the kid, so that the comparison takes as long as with one. */
const NO_SECRET = Buffer.alloc(32)
export const keyInQuery = newProblem(
  'credential.in_query',
  'Send the API key in the Authorization or x-api-key header, not in the address.',
)

/** A key in a URL is stored in logs and histories: such a request is rejected even with another valid credential. */
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
 * Invokes `onCaller` with the authenticated caller, or `onFailure` with the reason: synchronously when the credential is
 * cached, which is the usual case. The caller's other records may still have to be loaded, by the admission.
 */
export function authenticate<R extends PresentedRequest>(
  deps: AuthDeps,
  request: R,
  credential: Credential,
  handlers: AuthHandlers<R>,
): void {
  const found = findCaller(deps, credential)
  if (found !== 'not cached') settle(deps, request, found, handlers)
  else {
    loadCaller(deps, request, credential).then(
      (late) => settle(deps, request, late, handlers),
      (error: unknown) => settle(deps, request, notCheckedBecause(deps, error), handlers),
    )
  }
}

function settle<R extends PresentedRequest>(
  deps: AuthDeps,
  request: R,
  result: Caller | AuthFailure,
  { onCaller, onFailure }: AuthHandlers<R>,
): void {
  if ('account' in result) onCaller(request, result)
  else onFailure(request, result.isWrong ? wrongFrom(deps, request.throttleAddress, result) : result)
}

/** Counts a wrong credential against its address; invokes `onCounted` with the problem to answer. */
export function countFailure(
  { metrics, failures }: AuthDeps,
  throttleAddress: string,
  { problem, isWrong }: AuthFailure,
  onCounted: (problem: Problem) => void,
): void {
  if (!isWrong) {
    onCounted(problem)
    return
  }
  metrics.wrongCredentials += 1
  failures.count(throttleAddress, (full) => onCounted(full ?? problem))
}

/** While the bucket of an address is full, its wrong credentials are not counted. */
function wrongFrom({ failures, metrics }: AuthDeps, throttleAddress: string, failure: AuthFailure): AuthFailure {
  const blockedMs = failures.blockedForMs(throttleAddress)
  if (blockedMs === 0) return failure
  metrics.wrongCredentials += 1
  return { problem: tooManyFailures(blockedMs), isWrong: false }
}

function notCheckedBecause({ logger }: AuthDeps, error: unknown): AuthFailure {
  if (error instanceof TooManyKeys) return { problem: tooManyRequests(error.retryAfterMs), isWrong: false }
  logger.warn({ err: error }, 'authentication: loading a credential from its owner failed; the request gets 503')
  return { problem: accountUnavailable, isWrong: false }
}

function findCaller(deps: AuthDeps, credential: Credential): Caller | AuthFailure | 'not cached' {
  if (credential.kind === 'none') return missing
  return credential.kind === 'key' ? callerByKey(deps, credential.text) : callerByToken(deps, credential.text)
}

function callerByKey(deps: AuthDeps, text: string): Caller | AuthFailure | 'not cached' {
  const parsed = parseKey(text) ?? parseForeignKey(text)
  if (parsed === undefined) return wrong
  return callerOf(deps, parsed) ?? 'not cached'
}

function callerOf({ accounts }: AuthDeps, { kid, secret, environment, kind }: ParsedKey): Caller | undefined {
  const key = accounts.findKey(kid)
  const record = key?.record.value
  const isRight = isSecretOf(secret, key?.digest ?? NO_SECRET)
  if (key === undefined || record === undefined || !isRight) return undefined
  if (environment !== record.environment || kind !== (record.kind ?? 'data')) return undefined
  return { account: accounts.account(record.account_id), key, session: undefined }
}

function callerByToken({ accounts, tokens }: AuthDeps, text: string): Caller | 'not cached' {
  const claims = tokens.find(text)
  if (claims === undefined) return 'not cached'
  return {
    account: accounts.account(claims.sub),
    key: undefined,
    session: { id: claims.sid, issuedAtS: claims.iat },
  }
}

async function loadCaller(
  deps: AuthDeps,
  { throttleAddress }: PresentedRequest,
  credential: Credential,
): Promise<Caller | AuthFailure> {
  if (credential.kind === 'key') {
    const parsed = parseKey(credential.text) ?? parseForeignKey(credential.text)
    if (parsed === undefined) return wrong
    const startedMs = performance.now()
    await deps.accounts.lookUp(parsed.kid, throttleAddress)
    const caller = callerOf(deps, parsed)
    if (caller !== undefined) return caller
    await delay(WRONG_KEY_ANSWER_EVERY_MS - ((performance.now() - startedMs) % WRONG_KEY_ANSWER_EVERY_MS))
    return wrong
  }
  if (credential.kind === 'none') return missing
  const claims = await deps.tokens.read(credential.text)
  const caller = claims === undefined ? 'not cached' : callerByToken(deps, credential.text)
  return caller === 'not cached' ? (isExpired(credential.text, deps.now()) ? expired : wrong) : caller
}

/** An expired token is rejected, but it is not a guess, so it does not count against its address. */
function isExpired(token: string, nowMs: number): boolean {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return false
    return typeof claims.exp === 'number' && claims.exp * 1_000 <= nowMs
  } catch {
    return false
  }
}
