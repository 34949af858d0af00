import { type Outcome, SESSION_KEY_ID } from '@tapeline/contracts/usage/events'
import { endReply } from './end-reply.ts'
import { finalHeaders, type ServiceReport } from '../proxy/forward-headers.ts'
import { pushLimitHeaders } from '../limiter/limit-headers.ts'
import { journalFull, type Problem, PROBLEM_HEADERS, problemBody, problemStatus } from '../problems/problem.ts'
import type { GatewayResponse, RequestContext } from './request-context.ts'
import type { StreamHead } from '../stream/stream-response.ts'
import type { ResponseDeps } from './response-deps.ts'
import { outcomeOf } from '../usage/usage-event.ts'

const STATUS_CLIENT_GONE = 499
/** Also for a service's response that ended early: the rows that it announced are not billed. */
const NO_REPORT: ServiceReport = { headers: [], code: null, rejectedFields: undefined, rowsReturned: null }

/** Writes one answer. The newest chunk of a counted one is held back until its usage event is journaled; events are not. */
export class ResponseWriter {
  readonly reply: GatewayResponse
  isDone = false
  /** The client disconnected before the answer was complete. */
  isGone = false
  status = 0
  code: string | null = null
  upstreamLatencyUs: number | null = null
  /** The call to the service, stopped when the client disconnects. */
  upstreamCall: { stop: () => void } | undefined
  private readonly deps: ResponseDeps
  private readonly context: RequestContext
  private isHeadSent = false
  private bytesOut = 0
  private report = NO_REPORT
  private headers: string[] = []
  private buffered: Buffer | string | undefined
  private pendingParts = 0
  private onSettled: ((headers: readonly string[]) => void) | undefined

  constructor(deps: ResponseDeps, context: RequestContext, reply: GatewayResponse) {
    this.deps = deps
    this.context = context
    this.reply = reply
  }

  /** Sends a complete answer of the gateway itself. */
  send(status: number, headers: readonly string[], body: string): void {
    if (this.isDone) return
    this.begin(status, headers)
    this.buffered = body
    this.complete(outcomeOf(status))
  }

  /** Sends a complete answer without a body. */
  sendEmpty(status: number, headers: readonly string[]): void {
    if (this.isDone) return
    this.begin(status, headers)
    this.complete('ok')
  }

  sendProblem(problem: Problem): void {
    if (this.isHeadSent) this.abort(problem)
    if (this.isDone) return
    this.code = problem.code
    this.report = NO_REPORT
    const status = problemStatus(problem)
    const challenge = status === 401 ? ['www-authenticate', 'Bearer'] : []
    this.begin(status, [...PROBLEM_HEADERS, ...challenge, ...(problem.headers ?? [])])
    this.buffered = problemBody(problem, this.context.requestId, this.context.path)
    const isDenied = this.context.decision?.verdict === 'denied'
    this.complete(isDenied ? 'denied' : outcomeOf(status))
  }

  /** Status and headers of a service's answer; they are sent with its first chunk. */
  beginFromService(status: number, report: ServiceReport, latencyUs: number): void {
    if (this.isDone) return
    this.upstreamLatencyUs = latencyUs
    this.report = report
    this.code = report.code
    this.begin(status, finalHeaders(status, report.headers))
  }

  /** Begins a stream: after the usage event is written and the lease released, `onSettled` sends the headers. */
  beginStream({ status, report, latencyUs }: StreamHead, onSettled: (headers: readonly string[]) => void): void {
    if (this.isDone) return
    this.upstreamLatencyUs = latencyUs
    this.begin(status, report.headers)
    this.onSettled = onSettled
    this.complete('ok')
  }

  /** The next chunk; false when the client reads more slowly than the service sends. */
  write(chunk: Buffer): boolean {
    const { context, buffered } = this
    if (!context.isCounted || context.route?.isEventStream === true) return this.sendChunk(chunk)
    this.buffered = chunk
    return buffered === undefined || this.sendChunk(buffered)
  }

  /** Completes the answer. Its last chunk is sent when the usage event is written and the lease released. */
  complete(outcome: Outcome): void {
    if (this.isDone) return
    this.isDone = true
    const { deps, context } = this
    const latencyMs = performance.now() - context.startedMs
    deps.metrics.observe(context.route?.pattern ?? 'unknown', this.status, latencyMs)
    deps.spans?.add(context, latencyMs)
    deps.overload.completed(context)
    this.pendingParts = 1
    this.releaseLease()
    if (context.isCounted) {
      this.pendingParts += 1
      deps.journal.append(this.usageLine(outcome, latencyMs), this)
    }
    this.partDone()
  }

  /** To be called when the reply closes, also after a complete answer. */
  clientDisconnected(): void {
    if (this.isDone) {
      this.upstreamCall?.stop()
      return
    }
    this.isGone = true
    // The limiter's decision must still be recorded and its lease released.
    if (this.context.isCounted && this.context.decision === undefined) return
    if (this.status === 0) this.status = STATUS_CLIENT_GONE
    this.complete('aborted')
    this.upstreamCall?.stop()
  }

  /**
   * Ends an answer that cannot be completed: sends the problem if nothing was sent yet, ends an event stream with an
   * event that contains its code, and otherwise destroys the reply, so that the client detects an incomplete answer.
   */
  abort(problem: Problem): void {
    if (this.isDone) return
    if (!this.isHeadSent) {
      this.sendProblem(problem)
      return
    }
    this.status = problemStatus(problem)
    this.code = problem.code
    this.report = NO_REPORT
    if (this.context.route?.isEventStream === true) this.buffered = `event: end\ndata: {"code":"${problem.code}"}\n\n`
    else this.reply.destroy()
    this.complete('server_error')
  }

  onJournaled(isWritten: boolean): void {
    if (!isWritten) this.replaceByJournalFull()
    this.partDone()
  }

  onLeaseReleased(): void {
    this.partDone()
  }

  private begin(status: number, headers: readonly string[]): void {
    this.status = status
    const { request, requestId, traceparent, decision, plan } = this.context
    const all = this.deps.policy.headersFor(request.headers.origin).slice()
    all.push('x-request-id', requestId, 'traceparent', traceparent)
    if (decision !== undefined && plan !== undefined) pushLimitHeaders(all, decision, plan.policyHeader)
    for (const text of headers) all.push(text)
    if (this.deps.isStopping()) all.push('connection', 'close')
    this.headers = all
  }

  private sendChunk(chunk: Buffer | string): boolean {
    this.sendHead()
    this.bytesOut += Buffer.byteLength(chunk)
    return this.reply.write(chunk)
  }

  /** The held-back chunk included, unless the connection is closed; an answer to HEAD has no body. */
  private bytesSent(): number {
    const { bytesOut, buffered = '', reply, context } = this
    if (context.request.method === 'HEAD') return 0
    return reply.destroyed ? bytesOut : bytesOut + Buffer.byteLength(buffered)
  }

  private releaseLease(): void {
    const { caller, leaseId } = this.context
    if (caller === undefined || leaseId === '') return
    this.pendingParts += 1
    if (!this.deps.leases.release(caller.account.counters, leaseId, this)) this.pendingParts -= 1
  }

  private partDone(): void {
    this.pendingParts -= 1
    if (this.pendingParts === 0 && !this.reply.destroyed) this.sendRemaining()
  }

  private sendRemaining(): void {
    const { buffered, reply, headers, onSettled } = this
    if (onSettled !== undefined) {
      this.isHeadSent = true
      onSettled(headers)
      return
    }
    if (!this.isHeadSent && buffered !== undefined && !headers.includes('content-length')) {
      headers.push('content-length', String(Buffer.byteLength(buffered)))
    }
    this.sendHead()
    endReply(reply, headers, buffered)
  }

  private sendHead(): void {
    if (this.isHeadSent) return
    this.isHeadSent = true
    this.reply.writeHead(this.status, this.headers)
  }

  private replaceByJournalFull(): void {
    if (this.isHeadSent) {
      this.reply.destroy()
      return
    }
    this.onSettled = undefined
    this.upstreamCall?.stop()
    this.begin(problemStatus(journalFull), [...PROBLEM_HEADERS, ...(journalFull.headers ?? [])])
    this.buffered = problemBody(journalFull, this.context.requestId, this.context.path)
  }

  private usageLine(outcome: Outcome, latencyMs: number): string {
    const { context, report } = this
    const { caller, decision, plan, route } = context
    if (caller === undefined || decision === undefined || plan === undefined || route === undefined) {
      throw new Error('a counted request has no decision of the limiter')
    }
    const { account, key } = caller
    return this.deps.usageLine({
      accountId: account.id,
      keyId: key?.record.value?.key_id ?? SESSION_KEY_ID,
      kid: key === undefined ? null : key.kid,
      tier: plan.tier,
      method: context.request.method ?? 'GET',
      route: route.pattern,
      status: this.status,
      outcome,
      code: this.code,
      rejectedFields: report.rejectedFields,
      decision,
      latencyUs: Math.round(latencyMs * 1_000),
      upstreamLatencyUs: this.upstreamLatencyUs,
      bytesIn: context.bytesIn,
      bytesOut: this.bytesSent(),
      rowsReturned: report.rowsReturned,
      requestId: context.requestId,
      network: context.network,
    })
  }
}
