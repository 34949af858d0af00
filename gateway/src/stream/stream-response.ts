import type { ServerResponse } from 'node:http'
import { STREAM_CLOSE } from '@tapeline/contracts/market-data/stream'
import type { Outcome } from '@tapeline/contracts/usage/events'
import type { ServiceReport } from '../proxy/forward-headers.ts'
import type { ForwardedResponse } from '../proxy/forwarded-request.ts'
import { newProblem, type Problem, problemStatus } from '../problems/problem.ts'
import type { StreamEnd, StreamTransport } from './stream-transport.ts'

/** Answers the request; a stream takes over once its usage event is written. */
export type StreamWriter = ForwardedResponse & {
  readonly reply: ServerResponse
  beginStream: (answer: StreamHead, onSettled: (headers: readonly string[]) => void) => void
}
export type StreamHead = { status: number; report: ServiceReport; latencyUs: number }

/** `onOpen`: the client can receive messages. `onEnd`: the stream has ended; called even if it never opened. */
export type StreamHooks = { onOpen: () => void; onEnd: () => void }

/** A message that does not end in this time is cut. */
const BOUNDARY_WITHIN_MS = 1_000

const lost = newProblem(
  'upstream.unavailable',
  'The connection to the service was lost before the response arrived. Try again in a second.',
  1,
)

/** One open stream: passes the service's bytes on, and ends between two messages. */
export class StreamResponse implements ForwardedResponse {
  bytesOut = 0
  private state: 'waiting' | 'passing' | 'settling' | 'open' | 'ended' = 'waiting'
  /** Arrived before the head could be sent. */
  private early: Buffer[] = []
  private ending: StreamEnd | undefined
  /** The service's answer ended before the head could be sent. */
  private isComplete = false
  private lastReceivedAtMs = performance.now()
  private readonly writer: StreamWriter
  private readonly requestId: string
  private readonly hooks: StreamHooks
  readonly transport: StreamTransport

  constructor(
    { response, requestId }: { response: StreamWriter; requestId: string },
    transport: StreamTransport,
    hooks: StreamHooks,
  ) {
    this.writer = response
    this.requestId = requestId
    this.transport = transport
    this.hooks = hooks
    transport.client.on('close', () => this.dispose())
  }

  get isDone(): boolean {
    return this.state === 'ended' || (!this.isStreaming() && this.writer.isDone)
  }

  get status(): number {
    return this.writer.status
  }

  get reply(): ForwardedResponse['reply'] {
    return this.isStreaming() ? this.transport.client : this.writer.reply
  }

  get upstreamCall(): { stop: () => void } | undefined {
    return this.writer.upstreamCall
  }

  set upstreamCall(call: { stop: () => void } | undefined) {
    this.writer.upstreamCall = call
  }

  /** True once the service has accepted the stream. */
  isStreaming(): boolean {
    return this.state === 'settling' || this.state === 'open' || this.state === 'ended'
  }

  beginFromService(status: number, report: ServiceReport, latencyUs: number): void {
    if (status !== this.transport.openStatus) {
      this.state = 'passing'
      this.writer.beginFromService(status, report, latencyUs)
      return
    }
    this.state = 'settling'
    this.writer.beginStream({ status, report, latencyUs }, (headers) => this.open(headers))
  }

  write(chunk: Buffer): boolean {
    this.lastReceivedAtMs = performance.now()
    if (!this.isStreaming()) return this.writer.write(chunk)
    if (this.state === 'settling') this.early.push(chunk)
    return this.state === 'open' ? this.deliver(chunk) : true
  }

  complete(outcome: Outcome): void {
    if (!this.isStreaming()) {
      this.writer.complete(outcome)
      this.dispose()
    } else if (this.state === 'settling') this.isComplete = true
    else if (this.transport.boundary.isEnded) {
      if (this.state === 'open') this.transport.close()
      this.dispose()
    } else this.abort(lost)
  }

  abort(problem: Problem): void {
    if (this.isStreaming()) this.finish({ reason: 'restart', code: STREAM_CLOSE.failed, problem })
    else {
      this.writer.abort(problem)
      this.dispose()
    }
  }

  sendProblem(problem: Problem): void {
    if (this.isStreaming()) this.finish({ reason: 'restart', code: STREAM_CLOSE.failed, problem })
    else {
      this.writer.sendProblem(problem)
      this.dispose()
    }
  }

  get hasEnded(): boolean {
    return this.state === 'ended'
  }

  /** Ends the stream because its caller has lost access, or because access cannot be checked (a problem of 500 or above). */
  end(problem: Problem): void {
    if (!this.isStreaming()) this.abandon(problem)
    else if (problemStatus(problem) >= 500) this.abort(problem)
    else this.finish({ reason: 'access_ended', code: STREAM_CLOSE.accessEnded, problem })
  }

  /** The role, plan or limits have changed, or the gateway stops: ends the stream so that the client reconnects. */
  endForReconnect(problem: Problem): void {
    if (!this.isStreaming()) this.abandon(problem)
    else this.finish({ reason: 'restart', code: STREAM_CLOSE.goingAway, problem })
  }

  /** Ends the stream after the current message; the client receives the reason. */
  private finish(ending: StreamEnd): void {
    if (this.state === 'ended' || this.ending !== undefined) return
    this.ending = ending
    const isServiceGone = this.upstreamCall === undefined
    if (this.state === 'open' && this.transport.boundary.isBetween) this.sendEnd(ending)
    else if (isServiceGone && this.state === 'open') this.cut()
    else setTimeout(() => this.cut(), BOUNDARY_WITHIN_MS).unref()
  }

  /** The service did not answer the request. */
  abandon(problem: Problem): void {
    const { upstreamCall } = this
    this.writer.sendProblem(problem)
    upstreamCall?.stop()
    this.dispose()
  }

  /** Ends without a message, because the client no longer reads. */
  cut(): void {
    if (this.state === 'ended') return
    this.transport.client.destroy()
    this.dispose()
  }

  /** Milliseconds since the service last sent data. */
  serviceSilentMs(nowMs: number): number {
    return nowMs - this.lastReceivedAtMs
  }

  private open(headers: readonly string[]): void {
    if (this.state !== 'settling') return
    this.state = 'open'
    this.hooks.onOpen()
    this.transport.open(headers)
    for (const chunk of this.early.splice(0)) this.deliver(chunk)
    if (this.ending !== undefined && this.transport.boundary.isBetween) this.sendEnd(this.ending)
    else if (this.isComplete) this.complete('ok')
  }

  private deliver(chunk: Buffer): boolean {
    const { ending } = this
    const { boundary, client } = this.transport
    if (this.state !== 'open') return true
    if (ending === undefined) boundary.take(chunk)
    const end = ending === undefined ? -1 : boundary.takeToBoundary(chunk)
    const sent = end === -1 ? chunk : chunk.subarray(0, end)
    this.bytesOut += sent.length
    const isTaken = client.write(sent)
    if (ending !== undefined && end !== -1) this.sendEnd(ending)
    return isTaken
  }

  private sendEnd(ending: StreamEnd): void {
    if (this.state === 'ended') return
    const { transport } = this
    transport.client.write(transport.endMessage(ending, this.requestId))
    transport.close()
    this.dispose()
  }

  private dispose(): void {
    if (this.state === 'ended') return
    this.state = 'ended'
    this.early = []
    this.upstreamCall?.stop()
    this.hooks.onEnd()
  }
}
