import type { IncomingMessage } from 'node:http'
import { STREAM_MESSAGES_HEADER } from '@tapeline/contracts/market-data/stream'
import type { AccountCounters } from '../limiter/account-counters.ts'
import type { AccountPlan } from '../limiter/account-plan.ts'
import type { ConnectionSlots } from '../limiter/connection-slots.ts'
import type { Destination, ForwardedRequest, ForwardingDeps } from '../proxy/forwarded-request.ts'
import { Forwarding } from '../proxy/forwarding.ts'
import type { UpstreamClient } from '../proxy/upstream-clients.ts'
import { newProblem, type Problem } from '../problems/problem.ts'
import { EventStreamTransport } from './event-stream-transport.ts'
import { Retransmissions } from './retransmissions.ts'
import type { StreamCaller, StreamUsage } from './stream-usage.ts'
import { StreamResponse, type StreamWriter } from './stream-response.ts'
import { type Switching, WebSocketTransport } from './websocket-transport.ts'

export type StreamRequest = Omit<ForwardedRequest, 'request' | 'response'> & {
  readonly request: IncomingMessage & { readonly switching: Switching | undefined }
  readonly response: StreamWriter
  readonly caller: StreamOwner | undefined
  readonly plan: AccountPlan | undefined
}
type StreamOwner = {
  readonly account: { readonly id: string; readonly counters: AccountCounters }
  readonly key:
    | { readonly kid: string; readonly record: { readonly value: { key_id: string } | undefined } }
    | undefined
}
/** An open stream for the checks of its access. */
export type OpenedStream = {
  readonly hasEnded: boolean
  end: (problem: Problem) => void
  endForReconnect: (problem: Problem) => void
}
export type LiveStreamsDeps<R> = {
  forwarding: ForwardingDeps
  client: Pick<UpstreamClient, 'pool' | 'health'>
  openMax: number
  actorToken: (request: R) => string
  /** Whether pages of this origin may call from a browser. */
  isAllowedOrigin: (origin: string) => boolean
  slots: Pick<ConnectionSlots, 'take' | 'release'>
  onOpened: (request: R, stream: OpenedStream) => void
  usage: StreamUsage
}

const CHECK_EVERY_MS = 500
const ANSWER_WITHIN_MS = 5_000
/** The service sends a heartbeat every 10 s. */
const SERVICE_SILENCE_MAX_MS = 60_000

const stopping = newProblem('service.unavailable', 'The gateway is restarting: reconnect immediately.', 1)
const full = newProblem('service.unavailable', 'Too many streams are open. Try again in a moment.', 5)
const silent = newProblem('upstream.timed_out', 'The service did not respond in time. Try again in a second.', 1)
const originForbidden = newProblem('request.forbidden', 'Pages of this origin may not open a stream.')

/** The open streams of this process: WebSocket and server-sent events, passed on without being parsed. */
export class LiveStreams<R extends StreamRequest> {
  private readonly open = new Set<StreamResponse>()
  private readonly retransmissions = new Retransmissions()
  private readonly timer: NodeJS.Timeout
  private isStopped = false
  private readonly ended = { messages: 0, bytes: 0 }
  private readonly deps: LiveStreamsDeps<R>

  constructor(deps: LiveStreamsDeps<R>) {
    this.deps = deps
    this.timer = setInterval(() => this.check(), CHECK_EVERY_MS)
    this.timer.unref()
  }

  /** Opens the requested stream, or answers with the problem. */
  serve(request: R): void {
    const { origin } = request.request.headers
    const { switching } = request.request
    // A page gets no answer to read by its own policy; a WebSocket has none, so it is checked here.
    const isForeign = switching !== undefined && origin !== undefined && !this.deps.isAllowedOrigin(origin)
    if (isForeign) request.response.sendProblem(originForbidden)
    else if (this.isStopped) request.response.sendProblem(stopping)
    else if (this.open.size >= this.deps.openMax) request.response.sendProblem(full)
    else void this.takeSlot(request)
  }

  /** Open streams, and what all streams of this process have delivered so far. */
  delivered(): { open: number; messages: number; bytes: number } {
    const sum = { ...this.ended, open: this.open.size }
    for (const { transport, bytesOut } of this.open) {
      sum.messages += transport.boundary.messages
      sum.bytes += bytesOut
    }
    return sum
  }

  /** Ends every stream with a message that instructs the client to reconnect. */
  stop(): void {
    clearInterval(this.timer)
    this.isStopped = true
    for (const stream of this.open) {
      stream.endForReconnect(stopping)
    }
    this.deps.usage.stop()
  }

  private async takeSlot(request: R): Promise<void> {
    const { caller, plan, response } = request
    if (caller === undefined || plan === undefined) return
    const { counters } = caller.account
    const { connections } = plan.streams
    const slot = await this.deps.slots.take(counters, connections)
    if (!slot.isTaken) response.sendProblem(tooManyConnections(connections))
    else if (response.isDone || this.isStopped) {
      this.deps.slots.release(counters, slot.leaseId)
      response.sendProblem(stopping)
    } else this.forward(request, { caller, plan }, () => this.deps.slots.release(counters, slot.leaseId))
  }

  private forward(request: R, of: { caller: StreamOwner; plan: AccountPlan }, onEnd: () => void): void {
    const { forwarding, client, actorToken, onOpened } = this.deps
    const { switching } = request.request
    const socket = switching === undefined ? undefined : new WebSocketTransport(switching, request.response.reply)
    const transport = socket ?? new EventStreamTransport(request.response.reply, this.retransmissions)
    let meter: ReturnType<StreamUsage['begin']> | undefined
    const read = () => ({
      messages: transport.boundary.messages,
      bytesIn: transport.bytesIn,
      bytesOut: response.bytesOut,
    })
    const response = new StreamResponse(request, transport, {
      onOpen: () => (meter = this.deps.usage.begin(streamCaller(request, of, socket !== undefined), read)),
      onEnd: () => {
        this.open.delete(response)
        this.ended.messages += transport.boundary.messages
        this.ended.bytes += response.bytesOut
        meter?.end()
        onEnd()
      },
    })
    const destination: Destination = {
      service: 'market-data',
      pool: client.pool,
      health: client.health,
      timeoutMs: null,
      actorToken: actorToken(request),
      headers: [STREAM_MESSAGES_HEADER, String(of.plan.streams.messagesPerSecond)],
      onSwitched: socket === undefined ? undefined : (service) => socket.connect(service),
    }
    this.open.add(response)
    onOpened(request, response)
    const { request: message, requestId, traceparent, address, network, route } = request
    const source = { request: message, requestId, traceparent, address, network, route, response }
    new Forwarding(forwarding, source, destination, null).send()
  }

  private check(): void {
    this.deps.usage.check()
    const nowMs = performance.now()
    for (const stream of this.open) {
      const silentMs = stream.serviceSilentMs(nowMs)
      if (!stream.isStreaming() && silentMs > ANSWER_WITHIN_MS) stream.abandon(silent)
      else if (silentMs > SERVICE_SILENCE_MAX_MS) {
        stream.abort(silent)
      } else if (!stream.transport.checkAlive(nowMs)) stream.cut()
    }
  }
}

function tooManyConnections(limit: number): Problem {
  const text = `All ${limit} stream connections of your plan are in use. Close one, or change the plan.`
  const problem = newProblem('limit.stream_connections_exceeded', text, 1)
  return { ...problem, extra: { limit } }
}

function streamCaller(
  { requestId, network }: StreamRequest,
  { caller, plan }: { caller: StreamOwner; plan: AccountPlan },
  isWebSocket: boolean,
): StreamCaller {
  const { account, key } = caller
  return {
    accountId: account.id,
    keyId: key?.record.value?.key_id ?? '',
    kid: key?.kid ?? null,
    tier: plan.tier,
    transport: isWebSocket ? 'websocket' : 'event-stream',
    connectionId: requestId,
    network,
  }
}
