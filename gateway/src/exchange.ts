import { IncomingMessage, ServerResponse } from 'node:http'
import { type Outcome, SESSION_KEY_ID } from '@tapeline/contracts/usage/events'
import type { AccountPlan } from './account-plan.ts'
import type { Decision } from './decision.ts'
import { endReply } from './end-reply.ts'
import type { Gateway } from './gateway.ts'
import { networkOf } from './client-address.ts'
import type { Caller } from './known-account.ts'
import { pushLimitHeaders } from './limit-headers.ts'
import { journalFull, PROBLEM_HEADERS, type Refusal, refusalBody, refusalStatus } from './refusal.ts'
import { newRequestId, spanIdOf } from './request-ids.ts'
import type { Upstream } from './upstreams.ts'

/** A request as this server makes it: it knows its exchange, so that no closure is needed per request. */
export class GatewayRequest extends IncomingMessage {
  exchange: Exchange | undefined
}
export class GatewayReply extends ServerResponse<GatewayRequest> {}

export function exchangeOf(request: IncomingMessage): Exchange | undefined {
  return request instanceof GatewayRequest ? request.exchange : undefined
}

const STATUS_CLIENT_GONE = 499

/** One request and its answer. The newest piece of a counted answer is held back until its usage event is in the journal. */
export class Exchange {
  readonly startedMs = performance.now()
  readonly requestId: string
  readonly traceparent: string
  readonly path: string
  readonly address: string
  caller: Caller | undefined
  plan: AccountPlan | undefined
  decision: Decision | undefined
  failure: Refusal | undefined
  leaseId = ''
  isCounted = false
  isDone = false
  isGone = false
  isHeadSent = false
  status = 0
  code: string | null = null
  rejectedFields: string | undefined
  rowsReturned: number | null = null
  bytesIn = 0
  bytesOut = 0
  upstreamLatencyUs: number | null = null
  /** The call to the service: it ends when the client is gone. */
  onward: { stop: () => void } | undefined
  readonly gateway: Gateway
  readonly request: GatewayRequest
  readonly reply: GatewayReply
  route: Upstream | undefined
  private headers: string[] = []
  private held: Buffer | string | undefined
  private waitingFor = 0

  constructor(gateway: Gateway, request: GatewayRequest, reply: GatewayReply) {
    this.gateway = gateway
    this.request = request
    this.reply = reply
    this.requestId = newRequestId()
    this.traceparent = `00-${this.requestId}-${spanIdOf(this.requestId)}-${gateway.spans === undefined ? '00' : '01'}`
    const url = request.url ?? '/'
    const query = url.indexOf('?')
    this.path = query === -1 ? url : url.slice(0, query)
    this.address = gateway.clientAddress(request)
  }

  /** A whole answer of the gateway's own. */
  answer(status: number, headers: readonly string[], body: string): void {
    if (this.isDone) return
    this.start(status, headers)
    this.hold(body)
    this.complete(status < 400 ? 'ok' : status < 500 ? 'client_error' : 'server_error')
  }

  /** An answer without a body. */
  answerEmpty(status: number, headers: readonly string[]): void {
    if (this.isDone) return
    this.start(status, headers)
    this.complete('ok')
  }

  refuse(failure: Refusal): void {
    if (this.isHeadSent) this.breakOff(failure)
    if (this.isDone) return
    this.code = failure.code
    const isDenied = this.decision?.verdict === 'denied'
    const challenge = refusalStatus(failure) === 401 ? ['www-authenticate', 'Bearer'] : []
    const headers = [...PROBLEM_HEADERS, ...challenge, ...(failure.headers ?? [])]
    this.start(refusalStatus(failure), headers)
    this.hold(refusalBody(failure, this.requestId, this.path))
    this.complete(isDenied ? 'denied' : refusalStatus(failure) < 500 ? 'client_error' : 'server_error')
  }

  /** Status and headers of the answer; they leave with its first piece. */
  start(status: number, headers: readonly string[]): void {
    this.status = status
    const all = this.gateway.policy.headersFor(this.request.headers.origin).slice()
    all.push('x-request-id', this.requestId, 'traceparent', this.traceparent)
    if (this.decision !== undefined && this.plan !== undefined) {
      pushLimitHeaders(all, this.decision, this.plan.policyHeader)
    }
    for (const text of headers) all.push(text)
    if (this.gateway.isStopping()) all.push('connection', 'close')
    this.headers = all
  }

  /** The next piece; false when the client is slower than the service. */
  push(piece: Buffer): boolean {
    this.bytesOut += piece.length
    if (!this.isCounted) {
      this.sendHead()
      return this.reply.write(piece)
    }
    const { held } = this
    this.held = piece
    if (held === undefined) return true
    this.sendHead()
    return this.reply.write(held)
  }

  /** The service has answered everything, or the gateway has. The last piece leaves when the event is written. */
  complete(outcome: Outcome): void {
    if (this.isDone) return
    this.isDone = true
    const latencyMs = performance.now() - this.startedMs
    this.gateway.metrics.observe(this.route?.pattern ?? 'unknown', this.status, latencyMs)
    this.gateway.spans?.add(this, latencyMs)
    this.waitingFor = 1
    this.releaseLease()
    if (this.isCounted) {
      this.waitingFor += 1
      this.gateway.journal.append(this.usageLine(outcome, latencyMs), this)
    }
    this.partDone()
  }

  /** The client went away before it had everything. */
  clientGone(): void {
    if (this.isDone) {
      this.onward?.stop()
      return
    }
    this.isGone = true
    // What the limiter decides is still to be recorded and given back.
    if (this.isCounted && this.decision === undefined) return
    if (this.status === 0) this.status = STATUS_CLIENT_GONE
    const { onward } = this
    this.complete('aborted')
    onward?.stop()
  }

  /**
   * The rest will not come: a refusal when nothing has left yet; a stream of events is told why; any other answer is
   * destroyed before it is complete, so that it does not look whole.
   */
  breakOff(failure: Refusal): void {
    if (this.isDone) return
    if (!this.isHeadSent) {
      this.refuse(failure)
      return
    }
    this.status = refusalStatus(failure)
    this.code = failure.code
    if (this.route?.isEventStream === true) this.hold(`event: end\ndata: {"code":"${failure.code}"}\n\n`)
    else this.reply.destroy()
    this.complete('server_error')
  }

  onJournaled(isWritten: boolean): void {
    if (!isWritten) this.replaceByJournalFull()
    this.partDone()
  }

  private hold(body: string): void {
    this.held = body
    this.bytesOut = Buffer.byteLength(body)
  }

  private releaseLease(): void {
    const { caller, leaseId, gateway } = this
    if (caller === undefined || leaseId === '') return
    gateway.upkeep.closed(caller.account, leaseId)
    if (gateway.config.GATEWAYS_EXPECTED === 1) gateway.limiter.release(caller.account, leaseId)
    else {
      this.waitingFor += 1
      gateway.limiter.release(caller.account, leaseId, () => this.partDone())
    }
  }

  private partDone(): void {
    this.waitingFor -= 1
    if (this.waitingFor === 0 && !this.reply.destroyed) this.sendRest()
  }

  private sendRest(): void {
    const { held, reply, headers } = this
    if (!this.isHeadSent && held !== undefined && !headers.includes('content-length')) {
      headers.push('content-length', String(typeof held === 'string' ? Buffer.byteLength(held) : held.length))
    }
    this.sendHead()
    endReply(reply, headers, held)
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
    this.start(refusalStatus(journalFull), [...PROBLEM_HEADERS, ...(journalFull.headers ?? [])])
    this.held = refusalBody(journalFull, this.requestId, this.path)
  }

  private usageLine(outcome: Outcome, latencyMs: number): string {
    const { caller, decision, plan, route } = this
    if (caller === undefined || decision === undefined || plan === undefined || route === undefined) {
      throw new Error('a request was counted before it was decided')
    }
    const key = caller.key
    return this.gateway.usageLine({
      accountId: caller.account.id,
      keyId: key?.record.value?.key_id ?? SESSION_KEY_ID,
      kid: key === undefined ? null : key.kid,
      tier: plan.tier,
      method: this.request.method ?? 'GET',
      route: route.pattern,
      status: this.status,
      outcome,
      code: this.code,
      rejectedFields: this.rejectedFields,
      decision,
      latencyUs: Math.round(latencyMs * 1_000),
      upstreamLatencyUs: this.upstreamLatencyUs,
      bytesIn: this.bytesIn,
      bytesOut: this.bytesOut,
      rowsReturned: this.rowsReturned,
      requestId: this.requestId,
      network: networkOf(this.address),
    })
  }
}
