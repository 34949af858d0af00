import { type Problem, problemBody } from '../problems/problem.ts'
import type { MessageBoundary } from './message-boundary.ts'

/** Why a stream ends. `restart`: the client may reconnect immediately; the problem names the cause. */
export type StreamEnd = { reason: 'restart' | 'access_ended'; code: number; problem: Problem }

/** How one kind of stream writes to its client. */
export type StreamTransport = {
  /** Status with which the service opens such a stream; with another one the answer is passed on as any other. */
  readonly openStatus: number
  readonly boundary: MessageBoundary
  readonly client: {
    readonly writableNeedDrain: boolean
    once: (event: 'drain', listener: () => void) => unknown
    on: (event: 'close', listener: () => void) => unknown
    write: (chunk: Buffer) => boolean
    destroy: () => unknown
  }
  /** Bytes received from the client after its request. */
  readonly bytesIn: number
  /** Sends the head of the answer; from here on only messages are written. */
  open: (headers: readonly string[]) => void
  /** The last messages: they name the reason. */
  endMessage: (end: StreamEnd, requestId: string) => Buffer
  /** Ends the connection to the client after what was written. */
  close: () => void
  /** False: the client no longer responds. */
  checkAlive: (nowMs: number) => boolean
}

/** The gateway does not read messages, so it has no cursors: the client continues from that of the last message. */
export function closeReason(reason: StreamEnd['reason']): string {
  return JSON.stringify({ type: 'goodbye', reason, cursors: {} })
}

export function problemText(problem: Problem, requestId: string): string {
  return `{"type":"error","problem":${problemBody(problem, requestId, '')}}`
}
