import { KEY_SCOPES, type KeyScope } from '@tapeline/contracts/api-key/http'
import type { KeyRecord } from '@tapeline/contracts/api-key/key-record'
import { newProblem, type Problem } from '../problems/problem.ts'
import type { Caller, CachedKey } from '../account-cache/cached-account.ts'
import { type Route, serviceScopeOf } from '../routing/route.ts'

const notActive = newProblem('credential.invalid', 'The API key or access token is not valid.')
const ended = newProblem('session.ended', 'This session has ended. Sign in again.')
const inactive = newProblem('api_key.inactive', 'This API key is not active.')
const revoked = newProblem('api_key.revoked', 'This API key was revoked.')
const replaced = newProblem(
  'api_key.replaced',
  'This secret was replaced and no longer works. Use the newest secret of the API key.',
)
const expired = newProblem('api_key.expired', 'This API key has expired.')
const scopeMissing: ReadonlyMap<KeyScope, Problem> = new Map(KEY_SCOPES.map((scope) => [scope, missing(scope)]))
const keyForbidden = newProblem('request.forbidden', 'An API key cannot be used for this call: sign in.')

export type AuthorizedRequest = {
  readonly route: Route | undefined
  readonly address: string
  readonly request: { readonly method?: string | undefined }
}

/** Why a genuine credential is rejected now, according to the compiled records; undefined: it is valid. */
export function authorizationFailure(caller: Caller, request: AuthorizedRequest, nowMs: number): Problem | undefined {
  const user = caller.account.user.value
  if (user === undefined) return notActive
  if (caller.key !== undefined) {
    if (user.status !== 'active') return notActive
    return keyFailure(caller, nowMs) ?? routeFailure(caller.key, request)
  }
  const { session } = caller
  if (session === undefined || user.status !== 'active') return ended
  if (session.issuedAtS < user.not_before || user.ended_session_ids.includes(session.id)) return ended
  return undefined
}

/** Checks that the key is valid for this route and client address. */
function routeFailure(key: CachedKey, { route, address, request }: AuthorizedRequest): Problem | undefined {
  if (key.networks?.includes(address) === false) return addressNotAllowed(address)
  if (route === undefined) return keyForbidden
  const record = key.record.value
  if (route.who !== 'session') return scopeFailure(record, route.scope)
  const serviceScope = serviceScopeOf(route, request.method)
  return serviceScope === null || record?.kind !== 'service' ? keyForbidden : scopeFailure(record, serviceScope)
}

function scopeFailure(record: KeyRecord | undefined, scope: KeyScope | null): Problem | undefined {
  return scope === null || record?.scopes.includes(scope) === true ? undefined : scopeMissing.get(scope)
}

function addressNotAllowed(address: string): Problem {
  const text = `This API key may not be used from ${address}: the address is not in the key's list of networks.`
  return { ...newProblem('api_key.address_not_allowed', text), extra: { address } }
}

function missing(scope: KeyScope): Problem {
  return { ...newProblem('api_key.scope_missing', `This API key lacks the scope ${scope}.`), extra: { scope } }
}

function keyFailure({ key }: Caller, nowMs: number): Problem | undefined {
  const record = key?.record.value
  switch (record?.state) {
    case 'active':
      return endOf(record, nowMs)
    case 'inactive':
      return inactive
    case 'revoked':
      return typeof record.replaced_at_ms === 'number' ? replaced : revoked
    case 'deleted':
    case undefined:
      return notActive
  }
}

function endOf({ replaced_at_ms, expires_at_ms }: KeyRecord, nowMs: number): Problem | undefined {
  if (isReached(replaced_at_ms, nowMs)) return replaced
  return isReached(expires_at_ms, nowMs) ? expired : undefined
}

function isReached(timeMs: number | null | undefined, nowMs: number): boolean {
  return typeof timeMs === 'number' && timeMs <= nowMs
}
