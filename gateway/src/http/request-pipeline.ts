import { Admission, type AdmissionDeps } from '../auth/admission.ts'
import { methodProblem } from '../routing/route.ts'
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
import type { MatchRoute } from '../routing/match-route.ts'
import type { Overload } from '../operations/overload.ts'
import { priorityOf } from '../routing/priority.ts'
import { journalFull } from '../problems/problem.ts'
import { type ContextDeps, type GatewayRequest, type GatewayResponse, RequestContext } from './request-context.ts'
import { isAmbiguous, requestProblem } from './request-problem.ts'
import type { Serving } from './serving.ts'
import type { Who } from '../routing/route.ts'
import type { UsageJournal } from '../usage/usage-journal.ts'

export type RequestListener = (request: GatewayRequest, reply: GatewayResponse) => void
export type PipelineDeps = {
  context: ContextDeps
  auth: AuthDeps
  admission: AdmissionDeps
  overload: Overload
  journal: Pick<UsageJournal, 'isFull'>
  serving: Serving
  match: MatchRoute
  /** Fastify's routes: those that need no credential, with their throttles; unknown ones. */
  framework: RequestListener
}

/** Every request passes these steps: hygiene, authentication, admission by the limiter, then its service. */
export class RequestPipeline {
  readonly listener: RequestListener = (request, reply) => this.receive(request, reply)
  private readonly deps: PipelineDeps
  /** Created once: no closure is needed per request. */
  private readonly handlers = {
    onCaller: (context: RequestContext, caller: Caller) => this.admit(context, caller),
    onFailure: (context: RequestContext, failure: AuthFailure) => this.reject(context, failure),
  }
  private readonly serve = (context: RequestContext): void => this.serveAdmitted(context)
  private readonly onReplyClosed: (this: GatewayResponse) => void

  constructor(deps: PipelineDeps) {
    this.deps = deps
    const { overload } = deps
    this.onReplyClosed = function onReplyClosed() {
      const { context } = this.req
      if (context === undefined) return
      if (isShortLived(context)) overload.inFlight -= 1
      context.response.clientDisconnected()
    }
  }

  private receive(request: GatewayRequest, reply: GatewayResponse): void {
    if (untrustedSockets.has(request.socket)) return
    const { deps } = this
    const context = new RequestContext(deps.context, request, reply)
    request.context = context
    reply.on('close', this.onReplyClosed)
    context.route = deps.match(context.path)
    if (isShortLived(context)) deps.overload.inFlight += 1
    const problem = requestProblem(request)
    if (problem !== undefined) {
      if (isAmbiguous(problem)) untrustedSockets.add(request.socket)
      context.response.sendProblem(problem)
    } else if (request.method === 'OPTIONS') this.preflight(context)
    else this.authenticate(context)
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
    else if (!isOpen) authenticate(this.deps.auth, context, credential, this.handlers)
    else if (!this.isShed(context)) this.deps.framework(request, response.reply)
  }

  private reject(context: RequestContext, failure: AuthFailure): void {
    countFailure(this.deps.auth, context.throttleAddress, failure, (problem) => context.response.sendProblem(problem))
  }

  private admit(context: RequestContext, caller: Caller): void {
    const { route } = context
    context.caller = caller
    if (this.isShed(context)) return
    const isLimits = route?.own === 'limits'
    context.isCounted = caller.key === undefined ? route?.isCounted === true : !isLimits
    if (context.isCounted && this.deps.journal.isFull()) {
      context.isCounted = false
      context.response.sendProblem(journalFull)
      return
    }
    new Admission(this.deps.admission, context, caller, this.serve).start()
  }

  /** A route that is throttled by address is so for callers with a credential too. */
  private serveAdmitted(context: RequestContext): void {
    const { route, request, response } = context
    if (route?.who === 'anyone' || (route !== undefined && route.throttle !== 'public')) {
      this.deps.framework(request, response.reply)
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

/** Streams stay open by design: they are bounded by connections. */
function isShortLived({ route }: RequestContext): boolean {
  return route?.timeoutMs !== null
}

/** A key is always authenticated, because its requests are counted; an access token only where the route reads it. */
function needsNoCaller(who: Who, credential: Credential): boolean {
  if (who === 'anyone') return credential.kind !== 'key'
  return who === 'anyone or session' && credential.kind === 'none'
}
