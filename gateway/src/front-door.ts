import { Admission } from './admission.ts'
import {
  authenticate,
  type Credential,
  type Failure,
  hasKeyInQuery,
  keyInQuery,
  readCredential,
} from './authenticate.ts'
import { methodRefusal } from './allowed-methods.ts'
import { untrustedSockets } from './end-reply.ts'
import { Exchange, type GatewayReply, type GatewayRequest } from './exchange.ts'
import type { Gateway } from './gateway.ts'
import type { Caller } from './known-account.ts'
import type { MatchUpstream } from './match-upstream.ts'
import { priorityOf } from './priority.ts'
import { journalFull, type Refusal, refusal } from './refusal.ts'
import { serve } from './serve.ts'
import type { Who } from './upstreams.ts'

export type FrontDoorOptions = {
  gateway: Gateway
  match: MatchUpstream
  /** The framework's way: routes that need no credential, with their throttles; failures; what is unknown. */
  handOver: (request: GatewayRequest, reply: GatewayReply) => void
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
const ALLOWED = [...METHODS, 'OPTIONS'].join(', ')
const methodNotAllowed = { ...refusal('request.method_not_allowed', `Use ${ALLOWED}.`), headers: ['allow', ALLOWED] }
const ADDRESS_CHARACTERS_MAX = 8_192
const addressTooLong = refusal('request.address_too_long', 'The address is too long: send a body instead.')
/** The rest of such a connection cannot be trusted either. */
const CLOSE = ['connection', 'close']
const hostInvalid: Refusal = {
  ...refusal('request.invalid', 'Send one Host header with a host name and, if needed, a port.'),
  headers: CLOSE,
}
const unknownCoding: Refusal = {
  ...refusal(
    'request.transfer_encoding_unsupported',
    'Send the body with Content-Length, or with Transfer-Encoding: chunked and no other coding.',
  ),
  headers: CLOSE,
}
/** A name, an IPv4 address or a bracketed IPv6 address, and a port: no list, user, path or empty value. */
const HOST = /^(?:[\w.~-]+|\[[\dA-Fa-f:.]+\])(?::\d{1,5})?$/
const HOST_LENGTH = 4

/** Every request comes in here: who is it, are they too fast, which door, onward. */
export function createFrontDoor({ gateway, match, handOver }: FrontDoorOptions) {
  return (request: GatewayRequest, reply: GatewayReply): void => {
    if (untrustedSockets.has(request.socket)) return
    const exchange = new Exchange(gateway, request, reply)
    request.exchange = exchange
    reply.on('close', onReplyClosed)
    const route = match(exchange.path)
    exchange.route = route
    if (isBrief(exchange)) gateway.overload.inFlight += 1
    const problem = requestProblem(request)
    if (problem?.headers === CLOSE) untrustedSockets.add(request.socket)
    if (problem !== undefined) exchange.refuse(problem)
    else if (request.method === 'OPTIONS') preflight(exchange)
    else letIn(exchange)
  }

  function letIn(exchange: Exchange): void {
    const { route, request, reply } = exchange
    const credential = readCredential(request.headers)
    const isOpen = route === undefined || needsNoCaller(route.who, credential)
    const isNobody = route !== undefined && (isOpen || credential.kind === 'none')
    const wrongMethod = isNobody ? methodRefusal(route.pattern, request.method) : undefined
    if (wrongMethod !== undefined) exchange.refuse(wrongMethod)
    else if (!isOpen) authenticate(exchange, credential, admit, fail)
    else if (!isShed(exchange)) handOver(request, reply)
  }

  function admit(exchange: Exchange, caller: Caller): void {
    const { route } = exchange
    exchange.caller = caller
    if (isShed(exchange)) return
    const isLimits = route?.pattern === '/api/v1/limits'
    exchange.isCounted = caller.key === undefined ? route?.isCounted === true : !isLimits
    if (exchange.isCounted && gateway.journal.isFull()) {
      exchange.isCounted = false
      exchange.refuse(journalFull)
      return
    }
    new Admission(exchange, caller, pass).start()
  }

  /** What is throttled by address is so for everybody: a credential that may call it is no way around. */
  function pass(exchange: Exchange): void {
    const { route, request, reply } = exchange
    if (route?.who === 'anyone' || (route !== undefined && route.throttle !== 'public')) handOver(request, reply)
    else serve(exchange)
  }

  function fail(exchange: Exchange, { refusal: failure, isWrong }: Failure): void {
    if (!isWrong) {
      exchange.refuse(failure)
      return
    }
    gateway.metrics.wrongCredentials += 1
    exchange.failure = failure
    handOver(exchange.request, exchange.reply)
  }
}

/** Problems found before authentication: no account is charged for such a request. */
function requestProblem(request: GatewayRequest): Refusal | undefined {
  const { url = '', method = '', headers } = request
  if (url.length > ADDRESS_CHARACTERS_MAX) return addressTooLong
  if (!hasGoodHost(request)) return hostInvalid
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return unknownCoding
  if (method === 'OPTIONS') return undefined
  if (!METHODS.has(method)) return methodNotAllowed
  return hasKeyInQuery(url) ? keyInQuery : undefined
}

/** `headers.host` is the first of several; HTTP/1.0 needs none. */
function hasGoodHost({ headers, rawHeaders, httpVersionMinor }: GatewayRequest): boolean {
  const { host } = headers
  if (host === undefined) return httpVersionMinor === 0
  if (!HOST.test(host)) return false
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? ''
    if (name.length === HOST_LENGTH && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1
}

/** Turned away before the limiter is asked: it consumes nothing and is counted for nobody, like every 503 of the gateway's own. */
function isShed(exchange: Exchange): boolean {
  const { overload } = exchange.gateway
  const failure = overload.isPressed() ? overload.refusalOf(priorityOf(exchange)) : undefined
  if (failure !== undefined) exchange.refuse(failure)
  return failure !== undefined
}

/** Streams stay open by design: they are bounded by connections. */
function isBrief({ route }: Exchange): boolean {
  return route?.timeoutMs !== null
}

/** A key is always looked at, because what it asks for is counted; an access token only where it matters. */
function needsNoCaller(who: Who, credential: Credential): boolean {
  if (who === 'anyone') return credential.kind !== 'key'
  return who === 'anyone or session' && credential.kind === 'none'
}

function preflight(exchange: Exchange): void {
  const headers = exchange.gateway.policy.preflightFor(exchange.request.headers.origin)
  exchange.answerEmpty(204, headers)
}

function onReplyClosed(this: GatewayReply): void {
  const { exchange } = this.req
  if (exchange === undefined) return
  if (isBrief(exchange)) exchange.gateway.overload.inFlight -= 1
  exchange.clientGone()
}
