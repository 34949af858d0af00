import type { Answer } from '@tapeline/contracts/answer'
import type { ApiCall } from './api-call.ts'
import { ApiError, failureOf, unansweredBy } from './api-error.ts'
import type { AccessTokens } from './refresh-session.ts'
import { refreshSession } from './refresh-session.ts'

/** Above the gateway's 15 s for dashboard calls, so that its answer with the reason arrives first. */
const REQUEST_TIMEOUT_MS = 20_000

export type ApiReply<T> = {
  body: T
  status: number
  durationMs: number
  requestId: string | undefined
  headers: Headers
}

export type ClientDeps = {
  baseUrl: string
  fetch: typeof fetch
  tokens: AccessTokens
  /** Runs one at a time across all tabs of this browser. */
  withLock: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** The session's token was rejected and could not be renewed. */
  onSessionEnded: () => void
  /** Called with each response, whatever its status, and for each call that got none. */
  reachability?: { reportAnswer: () => void; reportFailure: () => void }
}

export type ApiClient = {
  baseUrl: string
  /** The whole reply, with how long it took. */
  send: <T>(call: ApiCall) => Promise<ApiReply<T>>
  /** The `data` of a dashboard call. */
  data: <T>(call: ApiCall) => Promise<T>
  /** A successful answer whose body is still arriving: a stream or a file. The timeout applies to its start. */
  open: (call: ApiCall) => Promise<Response>
}

export function createClient(deps: ClientDeps): ApiClient {
  async function send<T>(call: ApiCall): Promise<ApiReply<T>> {
    return replyOf<T>(await withRenewal(deps, call, (token) => exchangeOnce(deps, call, token)))
  }

  async function data<T>(call: ApiCall): Promise<T> {
    const { body } = await send<Answer<T> | undefined>(call)
    // For example the sign-in page of a network, in place of the API.
    if (body === undefined) throw unansweredBy(undefined, 0)
    return body.data
  }

  async function open(call: ApiCall): Promise<Response> {
    const { response } = await withRenewal(deps, call, async (token) => ({
      response: await openOnce(deps, call, token),
    }))
    if (!response.ok) throw failureOf(response, parseJson(await response.text()))
    return response
  }

  return { baseUrl: deps.baseUrl, send, data, open }
}

/** Repeats the call with a renewed token if the session's was rejected. Without a token there is nothing to renew. */
async function withRenewal<E extends { response: Response }>(
  deps: ClientDeps,
  call: ApiCall,
  once: (token: string | undefined) => Promise<E>,
): Promise<E> {
  const token = tokenFor(deps, call)
  const userId = deps.tokens.readUser()?.id
  let exchange = await once(token)
  if (exchange.response.status === 401 && isOfSession(call)) {
    const refreshDeps = { ...deps, exchange: (refresh: ApiCall) => exchangeOnce(deps, refresh, undefined) }
    const renewed = token === undefined ? undefined : await refreshSession(refreshDeps, token)
    // Another tab has signed in to another account: the call must not reach it, nor end its session.
    if (deps.tokens.readUser()?.id !== userId) return exchange
    if (renewed !== undefined) exchange = await once(renewed)
    if (exchange.response.status === 401) deps.onSessionEnded()
  }
  return exchange
}

type Exchange = { response: Response; body: unknown; durationMs: number }

function replyOf<T>({ response, body, durationMs }: Exchange): ApiReply<T> {
  const isFailure = typeof body === 'object' && body !== null && 'success' in body && body.success === false
  if (!response.ok || isFailure) throw failureOf(response, body)
  return {
    // The only place where an answer gets its type: the server validates the same contract before it answers.
    body: body as T,
    status: response.status,
    durationMs,
    requestId: response.headers.get('x-request-id') ?? undefined,
    headers: response.headers,
  }
}

async function exchangeOnce(deps: ClientDeps, call: ApiCall, token: string | undefined): Promise<Exchange> {
  const timeoutMs = call.timeoutMs ?? REQUEST_TIMEOUT_MS
  const timeout = AbortSignal.timeout(timeoutMs)
  const startedMs = performance.now()
  try {
    const response = await reached(deps, call, { token, giveUp: timeout })
    const body = parseJson(await response.text())
    return { response, body, durationMs: performance.now() - startedMs }
  } catch (cause) {
    if (call.signal?.aborted === true) throw cause
    throw unansweredBy(cause, timeoutMs)
  }
}

async function openOnce(deps: ClientDeps, call: ApiCall, token: string | undefined): Promise<Response> {
  const timeoutMs = call.timeoutMs ?? REQUEST_TIMEOUT_MS
  const beginning = new AbortController()
  const timer = setTimeout(() => beginning.abort(new DOMException('', 'TimeoutError')), timeoutMs)
  try {
    return await reached(deps, call, { token, giveUp: beginning.signal })
  } catch (cause) {
    if (call.signal?.aborted === true) throw cause
    throw unansweredBy(cause, timeoutMs)
  } finally {
    clearTimeout(timer)
  }
}

type Sending = { token: string | undefined; giveUp: AbortSignal }

async function reached(deps: ClientDeps, call: ApiCall, sending: Sending): Promise<Response> {
  try {
    const response = await request(deps, call, sending)
    deps.reachability?.reportAnswer()
    return response
  } catch (cause) {
    // A shorter timeout or an aborted call does not show whether the API can be reached.
    if (call.signal?.aborted !== true && call.timeoutMs === undefined) deps.reachability?.reportFailure()
    throw cause
  }
}

function request(deps: ClientDeps, call: ApiCall, { token, giveUp }: Sending): Promise<Response> {
  return deps.fetch(deps.baseUrl + call.path + queryOf(call.query), {
    method: call.method ?? 'GET',
    headers: headersOf(call, token),
    credentials: 'omit',
    cache: 'no-store',
    keepalive: call.outlivesPage ?? false,
    signal: call.signal === undefined ? giveUp : AbortSignal.any([call.signal, giveUp]),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  })
}

function headersOf(call: ApiCall, token: string | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    ...call.headers,
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
}

function tokenFor(deps: ClientDeps, call: ApiCall): string | undefined {
  const credential = call.credential ?? 'session'
  if (credential === 'none') return undefined
  return credential === 'session' ? deps.tokens.read()?.jwtToken : credential.bearer
}

function isOfSession(call: ApiCall): boolean {
  return (call.credential ?? 'session') === 'session'
}

function queryOf(query: ApiCall['query']): string {
  const params = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return params.length === 0 ? '' : `?${new URLSearchParams(params).toString()}`
}

function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Whether a call is repeated automatically: after a temporary failure, except a timeout, for which the user has waited
 * already.
 */
export function isRetryable(error: unknown): boolean {
  return error instanceof ApiError && [0, 502, 503].includes(error.status) && error.code !== 'network.timed_out'
}
