import type { ServiceName } from '@tapeline/contracts/actor'
import { ACTOR_HEADER } from '@tapeline/service/actor-token'
import { DEADLINE_HEADER } from '@tapeline/service/when-left'
import type { Timed } from './deadlines.ts'
import type { Exchange } from './exchange.ts'
import { networkOf } from './client-address.ts'
import { answerHeaders, finalHeaders, forwardedHeaders } from './forward-headers.ts'
import { type Refusal, refusal } from './refusal.ts'
import type { AnswerHandler } from './upstream-connection.ts'
import type { UpstreamHealth } from './upstream-health.ts'
import type { UpstreamPool } from './upstream-pool.ts'

export type Body = Buffer | AsyncIterable<Buffer> | null
export type Destination = {
  service: ServiceName
  pool: UpstreamPool
  health: UpstreamHealth
  timeoutMs: number | null
  actorToken: string
}

/** Broken off while its request body was being sent, because that was longer than allowed. */
export class BodyTooLarge extends Error {}

/** Nothing was sent: the caller may try again whatever the request does. */
const away = refusal('service.unavailable', 'A part of the platform does not answer. Try again in a moment.', 1)
const unavailable = refusal('upstream.unavailable', 'The service behind this address does not answer.', 1)
const timedOut = refusal('upstream.timed_out', 'The service behind this address took too long.', 1)
export const bodyTooLarge = {
  ...refusal('request.too_large', 'The request body is too large.'),
  headers: ['connection', 'close'],
}
const sentTooSlowly = {
  ...refusal('request.timed_out', 'The request was not sent in time.'),
  headers: ['connection', 'close'],
}

/** Too many sign in at once: identity says so itself, and does everything else as ever. */
const QUEUE_FULL = 'login.busy'

const STALE = new Set<unknown>(['ECONNRESET', 'EPIPE'])
const NEVER_SENT = new Set<unknown>(['ECONNREFUSED', 'CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/** One request onward: it is told of the answer, which goes straight to the client. */
export class Forwarding implements AnswerHandler, Timed {
  deadlineMs = 0
  earlier: Timed | undefined = undefined
  later: Timed | undefined = undefined
  private abort: ((error?: Error) => void) | undefined
  private resume: (() => void) | undefined
  private sentMs = 0
  private isTimedOut = false
  /** For the client to take what it has. */
  private isWaiting = false
  private isRetried = false
  /** The service could not work on it now: what it says is read and thrown away, then it is asked once more. */
  private isSkipped = false
  private readonly exchange: Exchange
  private readonly destination: Destination
  private readonly body: Body

  constructor(exchange: Exchange, destination: Destination, body: Body) {
    this.exchange = exchange
    this.destination = destination
    this.body = body
  }

  send(): void {
    const { exchange, body } = this
    const { pool, timeoutMs } = this.destination
    if (exchange.isDone) return
    this.sentMs = performance.now()
    if (!this.isRetried && !this.destination.health.allows(this.sentMs)) {
      exchange.refuse(away)
      return
    }
    exchange.onward = this
    if (timeoutMs !== null && !this.isRetried) exchange.gateway.deadlines.add(this, timeoutMs)
    const { url = '/', method = 'GET' } = exchange.request
    pool.dispatch({ path: url, method, headers: this.headers(), body, announced: this.announced() }, this)
  }

  onConnect(abort: (error?: Error) => void): void {
    this.abort = abort
    if (this.exchange.isDone || this.isTimedOut) abort()
  }

  onHeaders(status: number, rawHeaders: readonly string[], resume: () => void): boolean {
    if (status < 200) return true
    const { exchange } = this
    const nowMs = performance.now()
    const isWell = status === 503 && answerHeaders(rawHeaders).code === QUEUE_FULL
    this.destination.health.answered(isWell ? 200 : status, nowMs, this.sentMs)
    if (status === 503 && this.isRepeatable() && this.destination.health.takeRetry()) {
      this.isSkipped = true
      return true
    }
    this.resume = resume
    exchange.upstreamLatencyUs = Math.round((nowMs - this.sentMs) * 1_000)
    const { kept, code, rejectedFields, rowsReturned } = answerHeaders(rawHeaders)
    exchange.code = code
    exchange.rejectedFields = rejectedFields
    exchange.rowsReturned = rowsReturned
    exchange.start(status, finalHeaders(status, kept))
    return true
  }

  onData(chunk: Buffer): boolean {
    if (this.exchange.isDone || this.isSkipped) return true
    const isTaken = this.exchange.push(chunk)
    if (!isTaken && !this.isWaiting) {
      this.isWaiting = true
      this.exchange.reply.once('drain', () => {
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
    const { status } = this.exchange
    this.exchange.complete(status < 400 ? 'ok' : status < 500 ? 'client_error' : 'server_error')
  }

  onError(error: Error): void {
    const { exchange } = this
    const { health } = this.destination
    const code = 'code' in error ? error.code : undefined
    if (!exchange.isDone && this.isServiceToBlame(error)) health.failed()
    if (this.canRetry(code) && health.takeRetry()) {
      this.sendAgain()
      return
    }
    this.finish()
    if (!exchange.isDone) exchange.breakOff(this.refusalOf(error, code))
  }

  onDeadline(): void {
    const { exchange } = this
    // A client that reads slowly is not the service's fault: silence on its connection ends it.
    if (exchange.isDone || exchange.reply.writableNeedDrain) return
    this.isTimedOut = true
    if (this.abort === undefined) this.onError(new Error('no connection to the service in time'))
    else this.abort(new Error('the service took too long'))
  }

  stop(): void {
    this.finish()
    this.abort?.()
  }

  private finish(): void {
    const { timeoutMs } = this.destination
    if (timeoutMs !== null) this.exchange.gateway.deadlines.remove(this, timeoutMs)
    this.exchange.onward = undefined
  }

  private sendAgain(): void {
    this.isRetried = true
    this.isSkipped = false
    this.abort = undefined
    this.send()
  }

  private refusalOf(error: Error, code: unknown): Refusal {
    const { exchange, destination } = this
    if (error instanceof BodyTooLarge) return bodyTooLarge
    if (this.isTimedOut && !exchange.request.complete) return sentTooSlowly
    const { requestId, gateway } = exchange
    const facts = { error: String(error), service: destination.service, requestId }
    gateway.logger.warn(facts, 'a service did not answer')
    if (this.isTimedOut) return timedOut
    return NEVER_SENT.has(code) ? away : unavailable
  }

  /** How long a body in pieces takes is its sender's doing: that closes no service to everybody else. */
  private isServiceToBlame(error: Error): boolean {
    return !(error instanceof BodyTooLarge) && (!this.isTimedOut || this.isWhole())
  }

  private isWhole(): boolean {
    return this.body === null || Buffer.isBuffer(this.body)
  }

  /** A kept-alive connection may close just as it is used again: what has no effect is sent once more, as is what never left. */
  private canRetry(code: unknown): boolean {
    if (STALE.has(code)) return this.isRepeatable()
    return NEVER_SENT.has(code) && this.isFirst()
  }

  private isRepeatable(): boolean {
    const { method } = this.exchange.request
    return (method === 'GET' || method === 'HEAD' || this.exchange.route?.isRead === true) && this.isFirst()
  }

  /** Nothing was answered yet, and the body, if any, is still whole. */
  private isFirst(): boolean {
    const { exchange } = this
    return this.isWhole() && !this.isRetried && !this.isTimedOut && !exchange.isDone && exchange.status === 0
  }

  private headers(): string[] {
    const { exchange, destination } = this
    const { request, requestId, traceparent, address } = exchange
    const headers = forwardedHeaders(request.rawHeaders, request.headers.connection)
    headers.push(
      ACTOR_HEADER,
      destination.actorToken,
      'x-request-id',
      requestId,
      'traceparent',
      traceparent,
      'x-client-network',
      networkOf(address),
    )
    if (destination.service === 'identity') headers.push('x-client-address', address)
    if (destination.timeoutMs !== null) {
      const leftMs = Math.round(this.deadlineMs - performance.now())
      headers.push(DEADLINE_HEADER, String(Math.max(1, leftMs)))
    }
    return headers
  }

  /** Of a body that comes in pieces, when the client said so. */
  private announced(): number | undefined {
    const { 'content-length': length } = this.exchange.request.headers
    return length === undefined ? undefined : Number(length)
  }
}
