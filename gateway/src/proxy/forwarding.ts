import { ACTOR_HEADER } from '@tapeline/service/actor-token'
import { DEADLINE_HEADER } from '@tapeline/service/calls/abort-on-close'
import type { Timed } from './deadlines.ts'
import { forwardedHeaders, splitResponseHeaders } from './forward-headers.ts'
import {
  BodyTooLarge,
  type Destination,
  type ForwardBody,
  type ForwardedRequest,
  type ForwardedResponse,
  type ForwardingDeps,
} from './forwarded-request.ts'
import { bodyTooLarge, closing, newProblem, type Problem } from '../problems/problem.ts'
import { isRowStream, isPartialOutage } from './service-answer.ts'
import type { ResponseHandler } from './upstream-request.ts'
import { outcomeOf } from '../usage/usage-event.ts'

/** Nothing was sent: the caller may retry even a request that changes something. */
const noResponse = newProblem('service.unavailable', 'A service did not respond. Try again in a moment.', 1)
const unavailable = newProblem(
  'upstream.unavailable',
  'The connection to the service was lost before the response arrived. Try again in a second.',
  1,
)
const timedOut = newProblem('upstream.timed_out', 'The service did not respond in time. Try again in a second.', 1)
const sentTooSlowly = closing(newProblem('request.timed_out', 'The request was not sent in time.'))

/** Of an answer without a deadline, only the head has one: before the idle timeout of the client's connection, 30 s. */
const HEAD_WITHIN_MS = 25_000

const STALE = new Set<unknown>(['ECONNRESET', 'EPIPE'])
const NEVER_SENT = new Set<unknown>(['ECONNREFUSED', 'CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/** Forwards one request to a service and streams the answer to the client. */
export class Forwarding implements ResponseHandler, Timed {
  deadlineMs = 0
  earlier: Timed | undefined = undefined
  later: Timed | undefined = undefined
  private abort: ((error?: Error) => void) | undefined
  private resume: (() => void) | undefined
  private sentMs = 0
  private isTimedOut = false
  /** Nothing more is passed on, and the service is not at fault. */
  private isStopped = false
  /** Paused until the client has read what was written. */
  private isWaiting = false
  private isRetried = false
  /** The service returned 503: the answer is read and discarded, then the request is sent once more. */
  private isSkipped = false
  private rawHeaders: readonly string[] = []
  private readonly deps: ForwardingDeps
  private readonly source: ForwardedRequest
  private readonly response: ForwardedResponse
  private readonly destination: Destination
  private readonly body: ForwardBody

  constructor(deps: ForwardingDeps, source: ForwardedRequest, destination: Destination, body: ForwardBody) {
    this.deps = deps
    this.source = source
    this.response = source.response
    this.destination = destination
    this.body = body
  }

  send(): void {
    const { response, body } = this
    const { pool, onSwitched } = this.destination
    if (response.isDone) return
    this.sentMs = performance.now()
    if (!this.isRetried && !this.destination.health.allows(this.sentMs)) {
      response.sendProblem(noResponse)
      return
    }
    response.upstreamCall = this
    if (!this.isRetried) this.deps.deadlines.add(this, this.timeoutMs())
    const { url = '/', method = 'GET' } = this.source.request
    const [headers, contentLength] = [this.headers(), this.contentLength()]
    pool.dispatch({ path: url, method, headers, body, contentLength, onSwitched }, this)
  }

  onConnect(abort: (error?: Error) => void): void {
    this.abort = abort
    if (this.response.isDone || this.isTimedOut) abort()
  }

  onHeaders(status: number, rawHeaders: readonly string[], resume: () => void): boolean {
    if (status < 200 && status !== 101) return true
    const nowMs = performance.now()
    const isWell = status === 503 && isPartialOutage(rawHeaders)
    this.destination.health.answered(isWell ? 200 : status, nowMs, this.sentMs)
    if (status === 503 && this.isRepeatable() && this.destination.health.takeRetry()) {
      this.isSkipped = true
      return true
    }
    if (this.destination.timeoutMs === null) this.endDeadline()
    this.resume = resume
    this.rawHeaders = rawHeaders
    const latencyUs = Math.round((nowMs - this.sentMs) * 1_000)
    this.response.beginFromService(status, splitResponseHeaders(rawHeaders), latencyUs)
    return true
  }

  onData(chunk: Buffer): boolean {
    if (this.response.isDone || this.isSkipped) return true
    const isTaken = this.response.write(chunk)
    if (!isTaken && !this.isWaiting) {
      this.isWaiting = true
      this.response.reply.once('drain', () => {
        this.isWaiting = false
        this.resume?.()
      })
    }
    return isTaken
  }

  onComplete(): void {
    if (this.isSkipped) {
      this.sendAgain()
      return
    }
    this.finish()
    this.response.complete(outcomeOf(this.response.status))
  }

  onError(error: Error): void {
    if (this.isStopped) return
    const { response } = this
    const { health } = this.destination
    const code = 'code' in error ? error.code : undefined
    if (!response.isDone && this.isServiceFault(error)) health.failed()
    if (this.canRetry(code) && health.takeRetry()) {
      this.sendAgain()
      return
    }
    this.finish()
    if (!response.isDone) response.abort(this.problemFor(error, code))
  }

  onDeadline(): void {
    const { response } = this
    // A client that reads slowly is not the service's fault: the idle timeout of its connection ends it.
    if (response.isDone || response.reply.writableNeedDrain || isRowStream(this.rawHeaders)) return
    this.isTimedOut = true
    if (this.abort === undefined) this.onError(new Error('no connection to the service in time'))
    else this.abort(new Error('the service took too long'))
  }

  stop(): void {
    this.isStopped = true
    this.finish()
    this.abort?.()
  }

  private finish(): void {
    this.endDeadline()
    this.response.upstreamCall = undefined
  }

  private timeoutMs(): number {
    return this.destination.timeoutMs ?? HEAD_WITHIN_MS
  }

  private endDeadline(): void {
    this.deps.deadlines.remove(this, this.timeoutMs())
  }

  private sendAgain(): void {
    this.isRetried = true
    this.isSkipped = false
    this.abort = undefined
    this.send()
  }

  private problemFor(error: Error, code: unknown): Problem {
    const { source, destination } = this
    if (error instanceof BodyTooLarge) return bodyTooLarge
    if (this.isTimedOut && !source.request.complete) return sentTooSlowly
    const facts = { error: String(error), service: destination.service, requestId: source.requestId }
    this.deps.logger.warn(facts, 'proxy: the service did not answer; the caller gets a problem')
    if (this.isTimedOut) return timedOut
    return NEVER_SENT.has(code) ? noResponse : unavailable
  }

  /** A streamed body may be slow because its sender is: that must not open the breaker for all other callers. */
  private isServiceFault(error: Error): boolean {
    return !(error instanceof BodyTooLarge) && (!this.isTimedOut || this.isWhole())
  }

  private isWhole(): boolean {
    return this.body === null || Buffer.isBuffer(this.body)
  }

  /**
   * A kept-alive connection may close just as it is reused: a repeatable request is sent once more, as is one that was
   * never sent.
   */
  private canRetry(code: unknown): boolean {
    if (STALE.has(code)) return this.isRepeatable()
    return NEVER_SENT.has(code) && this.isFirst()
  }

  private isRepeatable(): boolean {
    const { method } = this.source.request
    return (method === 'GET' || method === 'HEAD' || this.source.route?.isRead === true) && this.isFirst()
  }

  /** Nothing was answered yet, and the body, if any, is still whole. */
  private isFirst(): boolean {
    const { response } = this
    return this.isWhole() && !this.isRetried && !this.isTimedOut && !response.isDone && response.status === 0
  }

  private headers(): string[] {
    const { destination } = this
    const { request, requestId, traceparent, address, network } = this.source
    const headers = forwardedHeaders(request.rawHeaders, request.headers.connection)
    headers.push(
      ACTOR_HEADER,
      destination.actorToken,
      'x-request-id',
      requestId,
      'traceparent',
      traceparent,
      'x-client-network',
      network,
    )
    if (destination.headers !== undefined) headers.push(...destination.headers)
    if (destination.service === 'identity') headers.push('x-client-address', address)
    if (destination.timeoutMs !== null) {
      const remainingMs = Math.round(this.deadlineMs - performance.now())
      headers.push(DEADLINE_HEADER, String(Math.max(1, remainingMs)))
    }
    return headers
  }

  /** Length of a streamed body in bytes, if the client sent it. */
  private contentLength(): number | undefined {
    const { 'content-length': length } = this.source.request.headers
    return length === undefined ? undefined : Number(length)
  }
}
