import type { ServerResponse } from 'node:http'
import { EventBoundary } from './event-boundary.ts'
import { connectionName, type Retransmissions } from './retransmissions.ts'
import { closeReason, problemText, type StreamEnd, type StreamTransport } from './stream-transport.ts'

/** Takes more than six seconds: loss on a slow network has fewer in succession. */
const RETRANSMISSIONS_MIN = 5
/** A client that has acknowledged nothing for this time counts as disconnected, as one that answers no ping. */
const UNACKNOWLEDGED_MAX_MS = 60_000

/** The client's side of server-sent events. */
export class EventStreamTransport implements StreamTransport {
  readonly openStatus = 200
  readonly boundary = new EventBoundary()
  readonly client: ServerResponse
  readonly bytesIn = 0
  private readonly connection: string
  private readonly retransmissions: Pick<Retransmissions, 'of'>
  private retransmitted = 0
  private unacknowledgedSinceMs = performance.now()

  constructor(reply: ServerResponse, retransmissions: Pick<Retransmissions, 'of'>) {
    this.client = reply
    this.connection = connectionName(reply.req.socket)
    this.retransmissions = retransmissions
  }

  open(headers: readonly string[]): void {
    this.client.writeHead(this.openStatus, [...headers])
    this.client.flushHeaders()
  }

  endMessage({ reason, problem }: StreamEnd, requestId: string): Buffer {
    const error = `event: error\ndata: ${problemText(problem, requestId)}\n\n`
    return Buffer.from(`${error}event: goodbye\ndata: ${closeReason(reason)}\n\n`)
  }

  close(): void {
    this.client.end()
  }

  /**
   * A client sends nothing after its request, so that only the kernel's acknowledgements show that it is there. The service's
   * heartbeats always leave data to acknowledge. A client that does not read is ended by the idle timeout of its connection.
   */
  checkAlive(nowMs: number): boolean {
    const count = this.retransmissions.of(this.connection, nowMs)
    if (count === 0 || count < this.retransmitted) this.unacknowledgedSinceMs = nowMs
    this.retransmitted = count
    return count < RETRANSMISSIONS_MIN || nowMs - this.unacknowledgedSinceMs <= UNACKNOWLEDGED_MAX_MS
  }
}
