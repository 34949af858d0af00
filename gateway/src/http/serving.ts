import type { ServiceName, UserActor } from '@tapeline/contracts/actor'
import { type ActorTokens, actorOf } from '../auth/actor-tokens.ts'
import { methodProblem } from '../routing/route.ts'
import type { ForwardBody, ForwardingDeps } from '../proxy/forwarded-request.ts'
import { Forwarding } from '../proxy/forwarding.ts'
import { newProblem, routeNotFound } from '../problems/problem.ts'
import { bodyProblem, readBody } from './request-body.ts'
import type { RequestContext } from './request-context.ts'
import { type OwnAnswerDeps, serveOwn } from './serve-own.ts'
import type { StreamGuard } from './stream-guard.ts'
import type { UpstreamClient } from '../proxy/upstream-clients.ts'

export type ServingDeps = {
  forwarding: ForwardingDeps
  clients: ReadonlyMap<ServiceName, UpstreamClient>
  actorTokens: ActorTokens
  streams: StreamGuard
  live: { serve: (context: RequestContext) => void }
  own: OwnAnswerDeps
  bodyBytesMax: number
}
export type Serving = {
  /** Serves an admitted request: by its service, or by the gateway itself. */
  serve: (context: RequestContext) => void
  /** Sends the request to the route's service, with the caller's actor or an anonymous one. */
  forward: (context: RequestContext, body: ForwardBody) => void
  /** Problem of a body that is rejected unread. */
  bodyProblem: (context: RequestContext) => ReturnType<typeof bodyProblem>
}

const tooManyStreams = newProblem('service.unavailable', 'Too many streams are open. Try again in a moment.', 5)
const ANONYMOUS = { kind: 'anonymous' } as const

export function createServing(deps: ServingDeps): Serving {
  const { forwarding, clients, actorTokens, streams, live, bodyBytesMax } = deps
  return { serve, forward, bodyProblem: ({ request }) => bodyProblem(request, bodyBytesMax) }

  function serve(context: RequestContext): void {
    const { route, request, response } = context
    if (route === undefined) {
      response.sendProblem(routeNotFound)
      return
    }
    const problem = bodyProblem(request, bodyBytesMax)
    if (problem !== undefined) response.sendProblem(problem)
    else if (route.service === 'gateway') serveOwn(context, deps.own)
    else if (route.isStream) serveStream(context, live)
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
    const actorToken = actorTokens.tokenFor(actorFor(context), service, Date.now())
    new Forwarding(forwarding, context, { service, pool, health: client.health, timeoutMs, actorToken }, body).send()
  }
}

export function actorFor({ caller, plan }: RequestContext): UserActor | typeof ANONYMOUS {
  return caller === undefined || plan === undefined ? ANONYMOUS : actorOf(caller, plan)
}

function serveStream(context: RequestContext, live: ServingDeps['live']): void {
  const { route, request, response } = context
  const wrongMethod = route === undefined ? routeNotFound : methodProblem(route, request.method)
  if (wrongMethod === undefined) live.serve(context)
  else response.sendProblem(wrongMethod)
}
