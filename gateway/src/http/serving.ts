import { answer } from '@tapeline/contracts/answer'
import type { StreamTicket } from '@tapeline/contracts/gateway/http'
import type { ServiceName, UserActor } from '@tapeline/contracts/actor'
import { type ActorTokens, actorOf } from '../auth/actor-tokens.ts'
import { readCredential } from '../auth/authenticate.ts'
import { type StreamTickets, TICKET_LIFE_S } from '../auth/stream-tickets.ts'
import { methodProblem } from '../routing/route.ts'
import type { ForwardBody, ForwardingDeps } from '../proxy/forwarded-request.ts'
import { Forwarding } from '../proxy/forwarding.ts'
import { newProblem, routeNotFound } from '../problems/problem.ts'
import type { ConnectionSlots } from '../limiter/connection-slots.ts'
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
  live: { serve: (context: RequestContext) => void }
  slots: Pick<ConnectionSlots, 'count'>
  tickets: Pick<StreamTickets, 'issue'>
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

const JSON_HEADERS = ['content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store']
const tooManyStreams = newProblem('service.unavailable', 'Too many streams are open. Try again in a moment.', 5)
const ticketsUnavailable = newProblem(
  'service.unavailable',
  'Tickets cannot be made at the moment. Try again in a second.',
  1,
)
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
    else if (route.service === 'gateway') serveOwn(context, deps)
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

function serveOwn(context: RequestContext, { slots, tickets }: ServingDeps): void {
  const { route, request, response } = context
  const wrongMethod = route === undefined ? routeNotFound : methodProblem(route, request.method)
  if (wrongMethod !== undefined) response.sendProblem(wrongMethod)
  else if (route?.own === 'limits') void serveLimits(context, slots)
  else if (route?.own === 'stream ticket') void issueTicket(context, tickets)
  else if (route?.own === 'health') {
    response.send(200, JSON_HEADERS, JSON.stringify(answer('The platform answers', { status: 'ok' })))
  } else response.sendProblem(routeNotFound)
}

function serveStream(context: RequestContext, live: ServingDeps['live']): void {
  const { route, request, response } = context
  const wrongMethod = route === undefined ? routeNotFound : methodProblem(route, request.method)
  if (wrongMethod === undefined) live.serve(context)
  else response.sendProblem(wrongMethod)
}

async function serveLimits(
  { decision, plan, caller, response }: RequestContext,
  slots: ServingDeps['slots'],
): Promise<void> {
  if (decision === undefined || plan === undefined || caller === undefined) return
  const streamsUsed = await slots.count(caller.account.counters)
  const report = reportLimits({ decision, plan, key: caller.key, streamsUsed })
  response.send(200, JSON_HEADERS, JSON.stringify(answer('Limits', report)))
}

async function issueTicket(
  { caller, request, response }: RequestContext,
  tickets: ServingDeps['tickets'],
): Promise<void> {
  if (caller === undefined) return
  try {
    const ticket: StreamTicket = {
      ticket: await tickets.issue(caller, readCredential(request.headers)),
      expires_in_seconds: TICKET_LIFE_S,
    }
    response.send(201, JSON_HEADERS, JSON.stringify(answer('Stream ticket', ticket)))
  } catch {
    response.sendProblem(ticketsUnavailable)
  }
}
