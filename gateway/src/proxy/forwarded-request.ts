import type { IncomingMessage } from 'node:http'
import type { ServiceName } from '@tapeline/contracts/actor'
import type { Outcome } from '@tapeline/contracts/usage/events'
import type { Logger } from '@tapeline/service/logger'
import type { Problem } from '../problems/problem.ts'
import type { Deadlines } from './deadlines.ts'
import type { ServiceReport } from './forward-headers.ts'
import type { UpstreamHealth } from './upstream-health.ts'
import type { UpstreamPool } from './upstream-pool.ts'
import type { UpstreamRequest } from './upstream-request.ts'

export type ForwardBody = Buffer | AsyncIterable<Buffer> | null
export type ForwardingDeps = { deadlines: Deadlines; logger: Logger }
/** The part of a request that forwarding reads. */
export type ForwardedRequest = {
  readonly request: IncomingMessage
  readonly requestId: string
  readonly traceparent: string
  readonly address: string
  readonly network: string
  readonly route: { readonly isRead: boolean } | undefined
  readonly response: ForwardedResponse
}
/** Receives the service's answer and passes it to the client. */
export type ForwardedResponse = {
  readonly isDone: boolean
  readonly status: number
  readonly reply: { readonly writableNeedDrain: boolean; once: (event: 'drain', listener: () => void) => unknown }
  upstreamCall: { stop: () => void } | undefined
  beginFromService: (status: number, report: ServiceReport, latencyUs: number) => void
  write: (chunk: Buffer) => boolean
  complete: (outcome: Outcome) => void
  abort: (problem: Problem) => void
  sendProblem: (problem: Problem) => void
}
export type Destination = {
  service: ServiceName
  pool: UpstreamPool
  health: UpstreamHealth
  timeoutMs: number | null
  actorToken: string
  /** Headers that the gateway adds to those of every request. */
  headers?: readonly string[]
  onSwitched?: UpstreamRequest['onSwitched']
}

/** Thrown by a request body that turns out longer than allowed. */
export class BodyTooLarge extends Error {}
