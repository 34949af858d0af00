import { PassThrough } from 'node:stream'
import type { StreamEventName } from '@tapeline/contracts/audit/events-stream'
import { type ResumePoint, writeResumePoint } from './resume-point.ts'

export const HEARTBEAT_MS = 15_000
/**
 * A client that reads nothing for this long, or whose backlog is too large, is disconnected. It resumes with its last
 * id.
 */
export const SLOW_READER_MS = 20_000
const UNREAD_BYTES_MAX = 256 * 1_024
const RETRY_MS = 2_000

export type StreamMessage = {
  name: StreamEventName
  data: unknown
  position?: Partial<Pick<ResumePoint, 'account' | 'platform'>>
}

/** One open stream: writes server-sent events with the id to resume from. */
export class OpenStream {
  readonly output = new PassThrough()
  private readonly point: ResumePoint
  private readonly nowMs: () => number
  private wroteMs: number
  private tookMs: number
  /** Events that arrive while the stream still catches up. */
  private waiting: StreamMessage[] | undefined = []

  constructor(from: { account: bigint; platform: bigint }, nowMs: () => number) {
    this.nowMs = nowMs
    this.wroteMs = this.tookMs = nowMs()
    this.point = { ...from, atMs: this.wroteMs }
    this.output.on('drain', () => (this.tookMs = this.nowMs()))
    // A client that disconnects during a write is not an error.
    this.output.on('error', () => {})
  }

  /**
   * Writes the start of the stream and what was missed since `after`, then the events that arrived in the meantime. No
   * id covers an event that follows it, because the client may be disconnected in between.
   */
  begin(missed: readonly StreamMessage[], after: ResumePoint = this.point): void {
    const waiting = this.waiting ?? []
    this.waiting = undefined
    this.write(`retry: ${RETRY_MS}\n`)
    if (missed.length === 0) this.send({ name: 'open', data: {} })
    else this.writeEvent({ name: 'open', data: {} }, undefined)
    // The time stays that of the client's id until it has caught up, so that it does not outlive the missed events.
    const point = { ...after }
    for (const message of missed) this.writeEvent(message, Object.assign(point, message.position))
    for (const message of waiting) this.send(message)
  }

  send(message: StreamMessage): void {
    if (this.waiting !== undefined) {
      this.waiting.push(message)
      return
    }
    Object.assign(this.point, message.position)
    // Live usage cannot be resumed, so it has no id.
    this.writeEvent(message, message.name === 'usage' ? undefined : this.currentPoint())
  }

  end(code: string): void {
    this.send({ name: 'end', data: { code } })
    this.output.end()
  }

  /** Called periodically: writes a heartbeat to an idle stream, and ends one that the client does not read. */
  keepAlive(): void {
    const nowMs = this.nowMs()
    const isStuck = this.output.writableNeedDrain && nowMs - this.tookMs >= SLOW_READER_MS
    if (isStuck || this.output.writableLength > UNREAD_BYTES_MAX) this.output.destroy()
    else if (this.waiting === undefined && nowMs - this.wroteMs >= HEARTBEAT_MS)
      this.write(`: heartbeat\n${idOf(this.currentPoint())}\n`)
  }

  private currentPoint(): ResumePoint {
    this.point.atMs = this.nowMs()
    return this.point
  }

  private writeEvent({ name, data }: StreamMessage, point: ResumePoint | undefined): void {
    const id = point === undefined ? '' : idOf(point)
    this.write(`${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  private write(text: string): void {
    if (this.output.destroyed || this.output.writableEnded) return
    this.wroteMs = this.nowMs()
    if (!this.output.writableNeedDrain) this.tookMs = this.wroteMs
    this.output.write(text)
  }
}

function idOf(point: ResumePoint): string {
  return `id: ${writeResumePoint(point)}\n`
}
