import type { ServiceName } from '@tapeline/contracts/actor'
import { ACTOR_HEADER } from '@tapeline/service/actor-token'
import type { Dispatcher, Pool } from 'undici'
import type { Timed } from './deadlines.ts'
import type { Exchange } from './exchange.ts'
import { networkOf } from './client-address.ts'
import { answerHeaders, forwardedHeaders } from './forward-headers.ts'
import { refusal } from './refusal.ts'

export type Body = Buffer | AsyncIterable<Buffer> | null
export type Destination = { service: ServiceName; pool: Pool; timeoutMs: number | null; actorToken: string }

/** Broken off while its request body was being sent, because that was longer than allowed. */
export class BodyTooLarge extends Error {}

const unavailable = refusal('upstream.unavailable', 'The service behind this address does not answer.', 1)
const timedOut = refusal('upstream.timed_out', 'The service behind this address took too long.', 1)
export const bodyTooLarge = {
  ...refusal('request.too_large', 'The request body is too large.'),
  headers: ['connection', 'close'],
}

/** One request onward: undici tells it of the answer, which goes straight to the client. */
export class Forwarding implements Dispatcher.DispatchHandler, Timed {
  deadlineMs = 0
  earlier: Timed | undefined = undefined
  later: Timed | undefined = undefined
  private abort: ((error?: Error) => void) | undefined
  private resume: (() => void) | undefined
  private sentMs = 0
  private isTimedOut = false
  private isRetried = false
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
    exchange.cancel = () => this.stop()
    if (timeoutMs !== null && !this.isRetried) exchange.gateway.deadlines.add(this, timeoutMs)
    this.sentMs = performance.now()
    const { url = '/', method = 'GET' } = exchange.request
    // undici takes async iterables as bodies; its types only name Readable.
    const options = { path: url, method, headers: this.headers(), body: body as Buffer | null }
    pool.dispatch(timeoutMs === null ? { ...options, headersTimeout: 0, bodyTimeout: 0 } : options, this)
  }

  onConnect(abort: (error?: Error) => void): void {
    this.abort = abort
    if (this.exchange.isDone || this.isTimedOut) abort()
  }

  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void): boolean {
    if (status < 200) return true
    const { exchange } = this
    this.resume = resume
    exchange.upstreamLatencyUs = Math.round((performance.now() - this.sentMs) * 1_000)
    const { kept, code, rowsReturned } = answerHeaders(rawHeaders)
    exchange.code = code
    exchange.rowsReturned = rowsReturned
    exchange.start(status, kept)
    return true
  }

  onData(chunk: Buffer): boolean {
    if (this.exchange.isDone) return true
    const isTaken = this.exchange.push(chunk)
    if (!isTaken) this.exchange.reply.once('drain', () => this.resume?.())
    return isTaken
  }

  onComplete(): void {
    this.finish()
    const { status } = this.exchange
    this.exchange.complete(status < 400 ? 'ok' : status < 500 ? 'client_error' : 'server_error')
  }

  onError(error: Error): void {
    if (this.canRetry(error)) {
      this.isRetried = true
      this.send()
      return
    }
    this.finish()
    const { exchange } = this
    if (exchange.isDone) return
    if (error instanceof BodyTooLarge) {
      exchange.breakOff(bodyTooLarge)
      return
    }
    const { service } = this.destination
    exchange.gateway.logger.warn(
      { error: String(error), service, requestId: exchange.requestId },
      'a service did not answer',
    )
    exchange.breakOff(this.isTimedOut ? timedOut : unavailable)
  }

  onDeadline(): void {
    const { exchange } = this
    // A client that reads slowly is not the service's fault: silence on its connection ends it.
    if (exchange.isDone || exchange.reply.writableNeedDrain) return
    this.isTimedOut = true
    if (this.abort === undefined) this.onError(new Error('no connection to the service in time'))
    else this.abort(new Error('the service took too long'))
  }

  private stop(): void {
    this.finish()
    this.abort?.()
  }

  private finish(): void {
    const { timeoutMs } = this.destination
    if (timeoutMs !== null) this.exchange.gateway.deadlines.remove(this, timeoutMs)
    this.exchange.cancel = undefined
  }

  /** A kept-alive connection may close just as it is used again; what has no effect is sent once more. */
  private canRetry(error: Error): boolean {
    const { exchange } = this
    const code = 'code' in error ? error.code : undefined
    const isStale = code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE'
    const isSafe = exchange.request.method === 'GET' || exchange.request.method === 'HEAD'
    return isStale && isSafe && !this.isRetried && !this.isTimedOut && !exchange.isDone && exchange.status === 0
  }

  private headers(): string[] {
    const { exchange, destination } = this
    const { request, requestId, spanId, address } = exchange
    const headers = forwardedHeaders(request.rawHeaders, request.headers.connection)
    headers.push(
      ACTOR_HEADER,
      destination.actorToken,
      'x-request-id',
      requestId,
      'traceparent',
      `00-${requestId}-${spanId}-00`,
      'x-client-network',
      networkOf(address),
    )
    if (destination.service === 'identity') headers.push('x-client-address', address)
    if (destination.timeoutMs !== null) {
      const leftMs = destination.timeoutMs - Math.round(performance.now() - exchange.startedMs)
      headers.push('x-deadline-ms', String(Math.max(1, leftMs)))
    }
    const { 'content-length': length } = request.headers
    if (length !== undefined && this.body !== null && !Buffer.isBuffer(this.body))
      headers.push('content-length', length)
    return headers
  }
}
