import { answer } from '@tapeline/contracts/answer'
import type { UserActor } from '@tapeline/contracts/actor'
import { actorOf } from './actor-tokens.ts'
import type { Exchange } from './exchange.ts'
import { methodRefusal } from './allowed-methods.ts'
import { type Body, Forwarding } from './forward.ts'
import { refusal } from './refusal.ts'
import { reportLimits } from './report-limits.ts'
import { bodyRefusal, readBody } from './request-body.ts'
import { streamOf } from './stream-of.ts'

const JSON_HEADERS = ['content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store']
const tooManyStreams = refusal('service.unavailable', 'Too many streams are open. Try again in a moment.', 5)
const noSuchRoute = refusal('request.route_not_found', 'There is no such route.')

/** A request that may pass: to its service, or to the gateway's own answers. */
export function serve(exchange: Exchange): void {
  const { route, gateway, request } = exchange
  if (route === undefined) {
    exchange.refuse(noSuchRoute)
    return
  }
  const problem = bodyRefusal(request, gateway.config.BODY_BYTES_MAX)
  if (problem !== undefined) exchange.refuse(problem)
  else if (route.service === 'gateway') serveOwn(exchange)
  else readBody(exchange, gateway.config.BODY_BYTES_MAX, forward)
}

/** Onward to the route's service, with the caller's actor or as nobody. */
export function forward(exchange: Exchange, body: Body): void {
  const { gateway, route, caller, plan } = exchange
  const link = route === undefined ? undefined : gateway.links.get(route.service)
  if (route === undefined || link === undefined) {
    exchange.refuse(noSuchRoute)
    return
  }
  const actor: UserActor | { kind: 'anonymous' } =
    caller === undefined || plan === undefined ? { kind: 'anonymous' } : actorOf(caller, plan)
  const actorToken = gateway.actorTokens.tokenFor(actor, route.service, gateway.now())
  const { health } = link
  const { service, timeoutMs } = route
  if (timeoutMs === null) {
    if (gateway.streams.isFull()) {
      exchange.refuse(tooManyStreams)
      return
    }
    gateway.streams.add(streamOf(exchange))
  }
  const pool = timeoutMs === null ? link.streams : link.pool
  new Forwarding(exchange, { service, pool, health, timeoutMs, actorToken }, body).send()
}

function serveOwn(exchange: Exchange): void {
  const { route, request, decision, plan } = exchange
  const wrongMethod = route === undefined ? noSuchRoute : methodRefusal(route.pattern, request.method)
  if (wrongMethod !== undefined) exchange.refuse(wrongMethod)
  else if (route?.pattern === '/api/v1/limits' && decision !== undefined && plan !== undefined) {
    const report = reportLimits(decision, plan, exchange.caller?.key)
    exchange.answer(200, JSON_HEADERS, JSON.stringify(answer('Limits', report)))
  } else if (route?.pattern === '/api/v1/health') {
    exchange.answer(200, JSON_HEADERS, JSON.stringify(answer('The platform answers', { status: 'ok' })))
  } else exchange.refuse(noSuchRoute)
}
