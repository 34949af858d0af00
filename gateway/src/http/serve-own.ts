import { answer } from '@tapeline/contracts/answer'
import type { StreamTicket } from '@tapeline/contracts/gateway/http'
import { readCredential } from '../auth/authenticate.ts'
import { type StreamTickets, TICKET_LIFE_S } from '../auth/stream-tickets.ts'
import type { ConnectionSlots } from '../limiter/connection-slots.ts'
import type { McpRelay } from '../mcp/mcp-relay.ts'
import { newProblem, routeNotFound } from '../problems/problem.ts'
import { methodProblem, type OwnAnswer } from '../routing/route.ts'
import { reportLimits } from './report-limits.ts'
import type { RequestContext } from './request-context.ts'
import { serveMcp } from './serve-mcp.ts'

export type OwnAnswerDeps = {
  slots: Pick<ConnectionSlots, 'count'>
  tickets: Pick<StreamTickets, 'issue'>
  mcp: Pick<McpRelay, 'answer'>
}
type Serve = (context: RequestContext, deps: OwnAnswerDeps) => void

const JSON_HEADERS = ['content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store']
const ticketsUnavailable = newProblem(
  'service.unavailable',
  'Stream tickets are unavailable at the moment. Try again in a second.',
  1,
)
/** Call reports of browsers need no credential: Fastify's routes answer them. */
const serveBy: Record<Exclude<OwnAnswer, 'call reports'>, Serve> = {
  health: ({ response }) =>
    response.send(200, JSON_HEADERS, JSON.stringify(answer('The platform is available', { status: 'ok' }))),
  limits: (context, { slots }) => void serveLimits(context, slots),
  'stream ticket': (context, { tickets }) => void issueTicket(context, tickets),
  mcp: (context, { mcp }) => serveMcp(context, mcp),
}

/** Answers an admitted request that is not forwarded to a service. */
export function serveOwn(context: RequestContext, deps: OwnAnswerDeps): void {
  const { route, request, response } = context
  const problem = route === undefined ? routeNotFound : methodProblem(route, request.method)
  const own = route?.own ?? null
  if (problem !== undefined) response.sendProblem(problem)
  else if (own === null || own === 'call reports') response.sendProblem(routeNotFound)
  else serveBy[own](context, deps)
}

async function serveLimits(
  { decision, plan, caller, response }: RequestContext,
  slots: OwnAnswerDeps['slots'],
): Promise<void> {
  if (decision === undefined || plan === undefined || caller === undefined) return
  const streamsUsed = await slots.count(caller.account.counters)
  const report = reportLimits({ decision, plan, key: caller.key, streamsUsed })
  response.send(200, JSON_HEADERS, JSON.stringify(answer('Limits', report)))
}

async function issueTicket(
  { caller, request, response }: RequestContext,
  tickets: OwnAnswerDeps['tickets'],
): Promise<void> {
  if (caller === undefined) return
  try {
    const issued = await tickets.issue(caller, readCredential(request.headers))
    if (typeof issued !== 'string') {
      response.sendProblem(issued.problem)
      return
    }
    const ticket: StreamTicket = { ticket: issued, expires_in_seconds: TICKET_LIFE_S }
    response.send(201, JSON_HEADERS, JSON.stringify(answer('Stream ticket', ticket)))
  } catch {
    response.sendProblem(ticketsUnavailable)
  }
}
