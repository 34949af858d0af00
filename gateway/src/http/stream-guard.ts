import { actorOf, nameOf } from '../auth/actor-tokens.ts'
import { Admission, type AdmissionDeps } from '../auth/admission.ts'
import { type AuthDeps, authenticate, readCredential } from '../auth/authenticate.ts'
import { newProblem } from '../problems/problem.ts'
import type { RequestContext } from './request-context.ts'

export type StreamGuardDeps = { auth: AuthDeps; admission: AdmissionDeps; max: number }
/** `actor`: the role and tier that the stream was opened with. */
type OpenStream = { context: RequestContext; actor: string; dueMs: number }

/** With the decision itself less than the five seconds after which the stream of an ended session must be closed. */
const DECIDE_EVERY_MS = 4_000
const CHECK_EVERY_MS = 500

const stopping = newProblem('service.unavailable', 'This gateway is being restarted: reconnect immediately.', 1)
const changed = newProblem('service.unavailable', 'Your role or plan has changed: reconnect immediately.', 1)

/** The open answers without a deadline: bounds their number, and admits each again every 4 s as if it had just arrived. */
export class StreamGuard {
  private readonly open = new Set<OpenStream>()
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
    this.open.add({ context, actor: actorNameOf(context), dueMs: performance.now() + DECIDE_EVERY_MS })
    return true
  }

  stop(): void {
    clearInterval(this.timer)
    for (const { context } of this.open) {
      if (!context.response.isDone && context.route?.isEventStream === true) context.response.sendProblem(stopping)
    }
    this.open.clear()
  }

  private isFull(): boolean {
    if (this.open.size < this.deps.max) return false
    for (const stream of this.open) if (stream.context.response.isDone) this.open.delete(stream)
    return this.open.size >= this.deps.max
  }

  private check(): void {
    const nowMs = performance.now()
    for (const stream of this.open) {
      if (stream.context.response.isDone) this.open.delete(stream)
      else if (stream.dueMs <= nowMs) {
        stream.dueMs = nowMs + DECIDE_EVERY_MS
        this.admitAgain(stream)
      }
    }
  }

  /** By the credential as it was sent. */
  private admitAgain({ context, actor }: OpenStream): void {
    if (context.caller === undefined) return
    authenticate(this.deps.auth, context, readCredential(context.request.headers), {
      onCaller: (same, caller) =>
        new Admission(this.deps.admission, same, caller, () => endIfChanged(same, actor)).start(),
      onFailure: (same, { problem }) => same.response.sendProblem(problem),
    })
  }
}

/** The service keeps the role and tier that the stream was opened with; a download is finished with them. */
function endIfChanged(context: RequestContext, actor: string): void {
  if (context.route?.isEventStream === true && actorNameOf(context) !== actor) context.response.sendProblem(changed)
}

function actorNameOf({ caller, plan }: RequestContext): string {
  return caller === undefined || plan === undefined ? '' : nameOf(actorOf(caller, plan))
}
