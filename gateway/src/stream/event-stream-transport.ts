import type { ServerResponse } from 'node:http'
import { EventBoundary } from './event-boundary.ts'
import { closeReason, problemText, type StreamEnd, type StreamTransport } from './stream-transport.ts'

/** The client's side of server-sent events. */
export class EventStreamTransport implements StreamTransport {
  readonly openStatus = 200
  readonly boundary = new EventBoundary()
  readonly client: ServerResponse
  readonly bytesIn = 0

  constructor(reply: ServerResponse) {
    this.client = reply
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

  /** The connection's idle timeout ends it: the service's heartbeats are written to it. */
  checkAlive(): boolean {
    return true
  }
}
