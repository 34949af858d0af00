import { Admission, type AdmissionDeps } from '../auth/admission.ts'
import { isFree, methodProblem } from '../routing/route.ts'
import {
  type AuthDeps,
  authenticate,
  type AuthFailure,
  countFailure,
  type Credential,
  readCredential,
} from '../auth/authenticate.ts'
import type { Caller } from '../account-cache/cached-account.ts'
import { untrustedSockets } from './end-reply.ts'
import { type StreamTickets, ticketIn } from '../auth/stream-tickets.ts'
import type { MatchRoute } from '../routing/match-route.ts'
import type { Overload } from '../operations/overload.ts'
import { priorityOf } from '../routing/priority.ts'
import { journalFull, newProblem } from '../problems/problem.ts'
import { type ContextDeps, type GatewayRequest, type GatewayResponse, RequestContext } from './request-context.ts'
import { isAmbiguous, requestProblem } from './request-problem.ts'
import type { Serving } from './serving.ts'
import type { Access } from '../routing/route.ts'
import type { UsageJournal } from '../usage/usage-journal.ts'

export type PipelineDeps = {
  context: ContextDeps
  auth: AuthDeps
  admission: AdmissionDeps
  overload: Overload
  journal: Pick<UsageJournal, 'isFull'>
  serving: Serving
  match: MatchRoute
  tickets: Pick<StreamTickets, 'redeem'>
}

type Next = () => void

const ticketAndCredential = newProblem('request.invalid', 'Send a ticket or a credential, not both.')
const unreadableAddress = newProblem('request.invalid', 'The URL contains invalid percent-encoding.')

/** Every request passes these steps: request checks, authentication, admission by the limiter, then its service. */
export class RequestPipeline {
  private readonly deps: PipelineDeps
  /** Created once: no closure is needed per request. */
  private readonly handlers = {
    onCaller: (context: RequestContext, caller: Caller) => this.admit(context, caller),
    onFailure: (context: RequestContext, failure: AuthFailure) => this.reject(context, failure),
  }
  private readonly serve = (context: RequestContext): void => this.serveAdmitted(context)

  constructor(deps: PipelineDeps) {
    this.deps = deps
  }

  /** Answers the request, or passes it to Fastify's routes by `next`: those that need no credential, and unknown ones. */
  receive(request: GatewayRequest, reply: GatewayResponse, next: Next): void {
    if (untrustedSockets.has(request.socket)) return
    const { deps } = this
    const context = new RequestContext(deps.context, request, reply)
    context.next = next
    request.context = context
    reply.on('close', onReplyClosed)
    context.route = deps.match(context.path)
    deps.overload.opened(context)
    const problem = requestProblem(request)
    if (problem !== undefined) {
      if (isAmbiguous(problem)) untrustedSockets.add(request.socket)
      context.response.sendProblem(problem)
    } else if (request.method === 'OPTIONS') this.preflight(context)
    else this.authenticate(context)
  }

  /** A request that Fastify cannot route, because its percent-encoding is invalid. */
  receiveUnroutable(request: GatewayRequest, reply: GatewayResponse): void {
    this.receive(request, reply, () => request.context?.response.sendProblem(unreadableAddress))
  }

  private preflight({ request, response }: RequestContext): void {
    response.sendEmpty(204, this.deps.context.response.policy.preflightFor(request.headers.origin))
  }

  private authenticate(context: RequestContext): void {
    const { route, request, response } = context
    const credential = readCredential(request.headers)
    const isOpen = route === undefined || needsNoCaller(route.who, credential)
    const isAnonymous = route !== undefined && (isOpen || credential.kind === 'none')
    const wrongMethod = isAnonymous ? methodProblem(route, request.method) : undefined
    if (wrongMethod !== undefined) response.sendProblem(wrongMethod)
    else if (!isOpen) this.findCaller(context, credential)
    else if (!this.isShed(context)) context.next()
  }

  private findCaller(context: RequestContext, credential: Credential): void {
    const { route, request } = context
    const hasTicket = route?.isStream === true && ticketIn(request.url ?? '') !== undefined
    if (hasTicket) void this.redeem(context, credential)
    else authenticate(this.deps.auth, context, credential, this.handlers)
  }

  /** The service receives the URL without the ticket. */
  private async redeem(context: RequestContext, { kind }: Credential): Promise<void> {
    const { request, response } = context
    const found = ticketIn(request.url ?? '')
    if (found === undefined || kind !== 'none') {
      response.sendProblem(ticketAndCredential)
      return
    }
    request.url = found.withoutTicket
    const redeemed = await this.deps.tickets.redeem(found.ticket, context)
    if ('problem' in redeemed) this.reject(context, redeemed)
    else {
      context.accessUntilMs = redeemed.untilMs
      this.admit(context, redeemed.caller)
    }
  }

  private reject(context: RequestContext, failure: AuthFailure): void {
    countFailure(this.deps.auth, context.throttleAddress, failure, (problem) => context.response.sendProblem(problem))
  }

  private admit(context: RequestContext, caller: Caller): void {
    const { route } = context
    context.caller = caller
    // A client that disconnected during the look-up of its credential is not counted.
    if (context.response.isDone || this.isShed(context)) return
    context.isCounted = caller.key === undefined ? route?.isCounted === true : !isFree(route)
    if (context.isCounted && this.deps.journal.isFull()) {
      context.isCounted = false
      context.response.sendProblem(journalFull)
      return
    }
    new Admission(this.deps.admission, context, caller, this.serve).start()
  }

  /** A route that is throttled by address is throttled for callers with a credential too. */
  private serveAdmitted(context: RequestContext): void {
    const { route } = context
    if (route?.who === 'anyone' || (route !== undefined && route.throttle !== 'public')) {
      context.next()
    } else this.deps.serving.serve(context)
  }

  /** Rejected before the limiter is called: consumes nothing and is not counted, like every 503 of the gateway's own. */
  private isShed(context: RequestContext): boolean {
    const { overload } = this.deps
    const problem = overload.isPressed() ? overload.problemFor(priorityOf(context)) : undefined
    if (problem !== undefined) context.response.sendProblem(problem)
    return problem !== undefined
  }
}

function onReplyClosed(this: GatewayResponse): void {
  this.req.context?.response.clientDisconnected()
}

/** A key is always authenticated, because its requests are counted; an access token only where the route reads it. */
function needsNoCaller(who: Access, credential: Credential): boolean {
  if (who === 'anyone') return credential.kind !== 'key'
  return who === 'anyone or session' && credential.kind === 'none'
}
