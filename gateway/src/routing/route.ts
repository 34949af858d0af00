import type { ServiceName } from '@tapeline/contracts/actor'
import type { ApiKeyScope, ServiceScope } from '@tapeline/contracts/api-key/http'
import { newProblem, type Problem } from '../problems/problem.ts'

/**
 * `anyone`: no credential needed, throttled by address. `anyone or session`: the same, but a credential that is sent must be valid.
 * `session`: an access token; an API key is rejected, except a service key with the scope that the route names. `key or session`: either.
 */
export type Access = 'anyone' | 'anyone or session' | 'session' | 'key or session'
/** The bucket that counts requests without a caller. */
export type Throttle = 'public' | 'sample' | 'sign-in' | 'sign-up' | 'refresh'
/**
 * Under overload: `vital` is never rejected, `vital changes` makes PUT, PATCH and DELETE so, because they end a key, a session
 * or a right; `by tier` follows the caller's tier.
 */
export type RoutePriority = 'vital' | 'vital changes' | 'by tier'
/** Kinds of answers that the gateway gives itself. */
export type OwnAnswer = 'health' | 'limits' | 'call reports' | 'stream ticket' | 'mcp'

/** Own answers that consume nothing and are not counted. */
const FREE: ReadonlySet<OwnAnswer> = new Set(['limits', 'mcp'])

export function isFree(route: Pick<Route, 'own'> | undefined): boolean {
  return route !== undefined && route.own !== null && FREE.has(route.own)
}

/** One call of the API; `operationId` is its name in the OpenAPI document, null where it is not described there. */
export type RouteCall = { method: string; path: string; operationId: string | null }

/** By method: GET and HEAD read, the others change. Null: no service key may. */
export type ServiceScopes = { read: ServiceScope | null; change: ServiceScope | null }

export type Route = {
  /** Also the route's name in usage events: never the raw URL. `*` at the end matches any suffix. */
  pattern: string
  service: ServiceName
  who: Access
  /** Calls of the route, with parameters as `{name}`. */
  calls: readonly RouteCall[]
  /** Null below a `*`: there the service rejects a wrong method, after authentication. */
  methods: ReadonlySet<string> | null
  /** The answer to every other method. */
  wrongMethod: Problem
  /** True when requests by access token leave a usage event too; those by API key always do. */
  isCounted: boolean
  /** A POST that only reads: sent once more when the service could not take it, as a GET is. */
  isRead: boolean
  /** The scope that an API key needs; a signed-in user needs none. */
  scope: ApiKeyScope | null
  /** What a service key needs on a route for sessions; null: no service key may call it. */
  serviceScopes: ServiceScopes | null
  throttle: Throttle
  /** Also counted by the account that the body names, from any address. */
  isThrottledByAccount: boolean
  priority: RoutePriority
  /** From forwarding the request to the end of the response, including a retry; null: no limit once the response has begun. */
  timeoutMs: number | null
  /** Answers with server-sent events: it can end with an event that names the reason. */
  isEventStream: boolean
  /** A live stream, as WebSocket or as server-sent events: it takes one of the account's stream connections. */
  isStream: boolean
  own: OwnAnswer | null
}
type Defaults =
  | 'isCounted'
  | 'isRead'
  | 'scope'
  | 'serviceScopes'
  | 'throttle'
  | 'priority'
  | 'timeoutMs'
  | 'isEventStream'
  | 'isStream'
  | 'own'
export type RouteOptions = Partial<Pick<Route, Defaults | 'isThrottledByAccount'>>

const DASHBOARD_TIMEOUT_MS = 15_000

/** `calls`: `METHOD operation-id` of an exact pattern, `METHOD suffix operation-id` below a `*`, `-` for no operation id. */
export function route(
  pattern: string,
  service: ServiceName,
  who: Access,
  { calls, ...options }: RouteOptions & { calls: readonly string[] },
): Route {
  const parsed = calls.map((call) => parseCall(pattern, call))
  const methods = methodsOf(parsed)
  const { throttle = 'public' } = options
  return {
    pattern,
    service,
    who,
    calls: parsed,
    methods: pattern.endsWith('*') ? null : new Set(methods),
    wrongMethod: wrongMethod(methods),
    isCounted: false,
    isRead: false,
    scope: null,
    serviceScopes: null,
    throttle,
    isThrottledByAccount: throttle === 'sign-in',
    priority: 'by tier',
    timeoutMs: DASHBOARD_TIMEOUT_MS,
    isEventStream: false,
    isStream: false,
    own: null,
    ...options,
  }
}

/**
 * The problem of a method that the route does not have; undefined: it has it, or its service decides. It is answered before
 * authentication, because the methods are public.
 */
export function methodProblem({ methods, wrongMethod: problem }: Route, method = 'GET'): Problem | undefined {
  return methods?.has(method) === false ? problem : undefined
}

/** The scope that a service key needs for this method; null: no service key may. */
export function serviceScopeOf({ serviceScopes }: Route, method = 'GET'): ServiceScope | null {
  if (serviceScopes === null) return null
  return method === 'GET' || method === 'HEAD' ? serviceScopes.read : serviceScopes.change
}

function parseCall(pattern: string, call: string): RouteCall {
  const words = call.split(' ')
  const [method = '', operationId = '-'] = [words[0], words.at(-1)]
  const suffix = words.length > 2 ? (words[1] ?? '') : ''
  return { method, path: pattern.replace('*', suffix), operationId: operationId === '-' ? null : operationId }
}

/** HEAD is allowed wherever GET is. */
function methodsOf(calls: readonly RouteCall[]): string[] {
  return calls.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

function wrongMethod(methods: readonly string[]): Problem {
  const shown = methods.filter((method) => method !== 'HEAD').join(' and ')
  return {
    ...newProblem('request.method_not_allowed', `This path supports only ${shown}.`),
    headers: ['allow', methods.join(', ')],
  }
}

const READ_TIMEOUT_MS = 2_000
/** Scopes of service keys for the paths of one subject. */
export const scopesOf = {
  keys: { read: 'keys:read', change: 'keys:write' },
  usage: { read: 'usage:read', change: null },
  requests: { read: 'requests:read', change: null },
  webhooks: { read: 'webhooks:write', change: 'webhooks:write' },
  trail: { read: 'audit:read', change: null },
} as const satisfies Record<string, ServiceScopes>

/** Market data: counted by key and by session. */
export const data = (pattern: string, scope: ApiKeyScope | null, calls: string[]): Route =>
  route(pattern, 'market-data', 'key or session', {
    calls,
    isCounted: true,
    isRead: true,
    scope,
    timeoutMs: READ_TIMEOUT_MS,
  })
export const sample = (pattern: string, calls: string[]): Route =>
  route(pattern, 'market-data', 'anyone', { calls, throttle: 'sample', timeoutMs: READ_TIMEOUT_MS })
/** Calls around signing in: throttled by address, and by the account that their body names. */
export const signIn = (pattern: string, call: string): Route =>
  route(pattern, 'identity', 'anyone', { calls: [call], throttle: 'sign-in' })
export const dashboard = (pattern: string, service: ServiceName, calls: string[], options: RouteOptions = {}): Route =>
  route(pattern, service, 'session', { calls, ...options })
