import { answer } from '@tapeline/contracts/answer'
import type { ServiceName, UserActor } from '@tapeline/contracts/actor'
import { type ActorTokens, actorOf } from '../auth/actor-tokens.ts'
import { methodProblem } from '../routing/route.ts'
import { type ForwardBody, Forwarding, type ForwardingDeps } from '../proxy/forwarding.ts'
import { newProblem, routeNotFound } from '../problems/problem.ts'
import { reportLimits } from './report-limits.ts'
import { bodyProblem, readBody } from './request-body.ts'
import type { RequestContext } from './request-context.ts'
import type { StreamGuard } from './stream-guard.ts'
import type { UpstreamClient } from '../proxy/upstream-clients.ts'

export type ServingDeps = {
  forwarding: ForwardingDeps
  clients: ReadonlyMap<ServiceName, UpstreamClient>
  actorTokens: ActorTokens
  streams: StreamGuard
  bodyBytesMax: number
  now: () => number
}
export type Serving = {
  /** Serves an admitted request: by its service, or by the gateway itself. */
  serve: (context: RequestContext) => void
  /** Sends the request to the route's service, with the caller's actor or an anonymous one. */
  forward: (context: RequestContext, body: ForwardBody) => void
  /** Problem of a body that is rejected unread. */
  bodyProblem: (context: RequestContext) => ReturnType<typeof bodyProblem>
}

const JSON_HEADERS = ['content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store']
const tooManyStreams = newProblem('service.unavailable', 'Too many streams are open. Try again in a moment.', 5)
const ANONYMOUS = { kind: 'anonymous' } as const

export function createServing(deps: ServingDeps): Serving {
  const { forwarding, clients, actorTokens, streams, bodyBytesMax } = deps
  return { serve, forward, bodyProblem: ({ request }) => bodyProblem(request, bodyBytesMax) }

  function serve(context: RequestContext): void {
    const { route, request, response } = context
    if (route === undefined) {
      response.sendProblem(routeNotFound)
      return
    }
    const problem = bodyProblem(request, bodyBytesMax)
    if (problem !== undefined) response.sendProblem(problem)
    else if (route.service === 'gateway') serveOwn(context)
    else readBody(context, bodyBytesMax, forward)
  }

  function forward(context: RequestContext, body: ForwardBody): void {
    const { route, response } = context
    const client = route === undefined ? undefined : clients.get(route.service)
    if (route === undefined || client === undefined) {
      response.sendProblem(routeNotFound)
      return
    }
    const { service, timeoutMs } = route
    if (timeoutMs === null && !streams.add(context)) {
      response.sendProblem(tooManyStreams)
      return
    }
    const pool = timeoutMs === null ? client.streams : client.pool
    const actorToken = actorTokens.tokenFor(actorFor(context), service, deps.now())
    new Forwarding(forwarding, context, { service, pool, health: client.health, timeoutMs, actorToken }, body).send()
  }
}

function actorFor({ caller, plan }: RequestContext): UserActor | typeof ANONYMOUS {
  return caller === undefined || plan === undefined ? ANONYMOUS : actorOf(caller, plan)
}

function serveOwn({ route, request, decision, plan, caller, response }: RequestContext): void {
  const wrongMethod = route === undefined ? routeNotFound : methodProblem(route, request.method)
  if (wrongMethod !== undefined) response.sendProblem(wrongMethod)
  else if (route?.own === 'limits' && decision !== undefined && plan !== undefined) {
    const report = reportLimits(decision, plan, caller?.key)
    response.send(200, JSON_HEADERS, JSON.stringify(answer('Limits', report)))
  } else if (route?.own === 'health') {
    response.send(200, JSON_HEADERS, JSON.stringify(answer('The platform answers', { status: 'ok' })))
  } else response.sendProblem(routeNotFound)
}
