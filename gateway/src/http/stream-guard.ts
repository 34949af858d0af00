import { actorOf, nameOf } from '../auth/actor-tokens.ts'
import { Admission, type AdmissionDeps } from '../auth/admission.ts'
import { type AuthDeps, authenticate, type AuthHandlers, readCredential } from '../auth/authenticate.ts'
import type { Invalidated } from '../account-cache/account-cache.ts'
import type { Caller } from '../account-cache/cached-account.ts'
import { newProblem, type Problem } from '../problems/problem.ts'
import { AccessCheck } from './access-check.ts'
import type { RequestContext } from './request-context.ts'

export type StreamGuardDeps = { auth: AuthDeps; admission: AdmissionDeps; max: number }
/** An open answer, and how it ends. */
export type GuardedStream = {
  readonly hasEnded: boolean
  /** Its access has ended. */
  end: (problem: Problem) => void
  /** Its role, plan or limits have changed since it was opened. */
  endForReconnect: (problem: Problem) => void
}
/** `terms`: the role, plan and limits that the stream was opened with. */
type OpenStream = { context: RequestContext; stream: GuardedStream; terms: string; dueMs: number }

/** Changes are published within a second; this applies those whose event was not received. */
const DECIDE_EVERY_MS = 4_000
const CHECK_EVERY_MS = 500

const stopping = newProblem('service.unavailable', 'The gateway is restarting: reconnect immediately.', 1)
const expired = newProblem('credential.invalid', 'The access token that this stream was opened with has expired.')
const changed = newProblem('service.unavailable', 'Your role or plan has changed: reconnect immediately.', 1)

/** The open answers without a deadline: authorizes each again every 4 s, and when a record of its caller changes. */
export class StreamGuard {
  /** Event streams and downloads: their number is bounded here. */
  private readonly open = new Set<OpenStream>()
  /** Live streams, bounded by the connections of their accounts. */
  private readonly live = new Set<OpenStream>()
  private readonly timer: NodeJS.Timeout
  private readonly deps: StreamGuardDeps

  constructor(deps: StreamGuardDeps) {
    this.deps = deps
    this.timer = setInterval(() => this.check(), CHECK_EVERY_MS)
    this.timer.unref()
  }

  /** False: no more streams may be opened. */
  add(context: RequestContext): boolean {
    if (this.isFull()) return false
    this.open.add(opened(context, new PlainStream(context)))
    return true
  }

  addLive(context: RequestContext, stream: GuardedStream): void {
    this.live.add(opened(context, stream))
  }

  /** Call when a record changes: authorizes the streams that depend on it again, immediately. */
  recheck({ accountId, kid }: Invalidated): void {
    for (const streams of [this.open, this.live]) {
      for (const one of streams) {
        const { caller } = one.context
        const isAffected = kid === undefined ? caller?.account.id === accountId : caller?.key?.kid === kid
        if (isAffected) this.recheckAccess(one)
      }
    }
  }

  stop(): void {
    clearInterval(this.timer)
    for (const { stream } of this.open) if (!stream.hasEnded) stream.endForReconnect(stopping)
    this.open.clear()
    this.live.clear()
  }

  private isFull(): boolean {
    if (this.open.size < this.deps.max) return false
    for (const one of this.open) if (one.stream.hasEnded) this.open.delete(one)
    return this.open.size >= this.deps.max
  }

  private check(): void {
    const nowMs = performance.now()
    for (const streams of [this.open, this.live]) {
      for (const one of streams) {
        if (one.stream.hasEnded) streams.delete(one)
        else if (one.dueMs <= nowMs) this.recheckAccess(one)
      }
    }
  }

  /** Authenticates by the original credential, or as the caller of the redeemed ticket. */
  private recheckAccess(one: OpenStream): void {
    const { context, stream, terms } = one
    one.dueMs = performance.now() + DECIDE_EVERY_MS
    if (context.caller === undefined || stream.hasEnded) return
    const check = new AccessCheck(context, (problem) => {
      if (!stream.hasEnded) stream.end(problem)
    })
    const { accessUntilMs } = context
    if (accessUntilMs !== undefined && accessUntilMs <= Date.now()) {
      stream.end(expired)
      return
    }
    const handlers: AuthHandlers<AccessCheck> = {
      onCaller: (same, caller) => {
        const onAdmitted = () => {
          if (termsOf(caller, same.plan) !== terms) stream.endForReconnect(changed)
        }
        new Admission(this.deps.admission, same, caller, onAdmitted).start()
      },
      onFailure: (same, { problem }) => same.response.sendProblem(problem),
    }
    if (accessUntilMs !== undefined) handlers.onCaller(check, context.caller)
    else authenticate(this.deps.auth, check, readCredential(context.request.headers), handlers)
  }
}

/** The service uses the role and tier at opening: a change ends an event stream; a download is finished with them. */
class PlainStream implements GuardedStream {
  private readonly context: RequestContext

  constructor(context: RequestContext) {
    this.context = context
  }

  get hasEnded(): boolean {
    return this.context.response.isDone
  }

  end(problem: Problem): void {
    this.context.response.sendProblem(problem)
  }

  endForReconnect(problem: Problem): void {
    if (this.context.route?.isEventStream === true) this.end(problem)
  }
}

function opened(context: RequestContext, stream: GuardedStream): OpenStream {
  return { context, stream, terms: termsOf(context.caller, context.plan), dueMs: performance.now() + DECIDE_EVERY_MS }
}

function termsOf(caller: Caller | undefined, plan: RequestContext['plan']): string {
  if (caller === undefined || plan === undefined) return ''
  return `${nameOf(actorOf(caller, plan))} ${plan.streams.messagesPerSecond}`
}
