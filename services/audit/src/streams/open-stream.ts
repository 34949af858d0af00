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

type StreamMessage = {
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

  /** Writes the start of the stream and the missed events, then those that arrived in the meantime. */
  begin(missed: readonly StreamMessage[]): void {
    const waiting = this.waiting ?? []
    this.waiting = undefined
    this.write(`retry: ${RETRY_MS}\n`)
    for (const message of [{ name: 'open' as const, data: {} }, ...missed, ...waiting]) this.send(message)
  }

  send(message: StreamMessage): void {
    if (this.waiting !== undefined) {
      this.waiting.push(message)
      return
    }
    const { name, data, position } = message
    Object.assign(this.point, position)
    // Live usage cannot be resumed, so it has no id.
    this.write(`${name === 'usage' ? '' : this.id()}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
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
      this.write(`: heartbeat\n${this.id()}\n`)
  }

  private id(): string {
    this.point.atMs = this.nowMs()
    return `id: ${writeResumePoint(this.point)}\n`
  }

  private write(text: string): void {
    if (this.output.destroyed || this.output.writableEnded) return
    this.wroteMs = this.nowMs()
    if (!this.output.writableNeedDrain) this.tookMs = this.wroteMs
    this.output.write(text)
  }
}
