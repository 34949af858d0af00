import { Admission } from './admission.ts'
import {
  authenticate,
  type Credential,
  type Failure,
  hasKeyInQuery,
  keyInQuery,
  readCredential,
} from './authenticate.ts'
import { Exchange, type GatewayReply, type GatewayRequest } from './exchange.ts'
import type { Gateway } from './gateway.ts'
import type { Caller } from './known-account.ts'
import type { MatchUpstream } from './match-upstream.ts'
import { refusal } from './refusal.ts'
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
const journalFull = refusal('journal.full', 'Requests cannot be recorded at the moment. Try again shortly.', 1)

/** Every request comes in here: who is it, are they too fast, which door, onward. */
export function createFrontDoor({ gateway, match, handOver }: FrontDoorOptions) {
  return (request: GatewayRequest, reply: GatewayReply): void => {
    const exchange = new Exchange(gateway, request, reply)
    request.exchange = exchange
    reply.on('close', onReplyClosed)
    exchange.route = match(exchange.path)
    if (request.method === 'OPTIONS') preflight(exchange)
    else if (!METHODS.has(request.method ?? '')) exchange.refuse(methodNotAllowed)
    else if (hasKeyInQuery(request.url ?? '')) exchange.refuse(keyInQuery)
    else {
      const credential = readCredential(request.headers)
      if (exchange.route === undefined || needsNoCaller(exchange.route.who, credential)) handOver(request, reply)
      else authenticate(exchange, credential, admit, fail)
    }
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

function admit(exchange: Exchange, caller: Caller): void {
  const { route, gateway } = exchange
  exchange.caller = caller
  const isLimits = route?.pattern === '/api/v1/limits'
  exchange.isCounted = caller.key === undefined ? route?.isCounted === true : !isLimits
  if (exchange.isCounted && gateway.journal.isFull()) {
    exchange.isCounted = false
    exchange.refuse(journalFull)
    return
  }
  new Admission(exchange, caller, serve).start()
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
  this.req.exchange?.clientGone()
}
