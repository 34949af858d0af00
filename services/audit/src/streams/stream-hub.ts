import type { Readable } from 'node:stream'
import { STREAM_EVENTS, type StreamEventName, UsageTick } from '@tapeline/contracts/audit/events-stream'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { OpenSlots } from '../open-slots.ts'
import { PLATFORM_SCOPE } from './append-stream-events.ts'
import { OpenStream, type StreamMessage } from './open-stream.ts'
import { readResumePoint, type ResumePoint } from './resume-point.ts'
import {
  findLastPosition,
  listLiveUsage,
  listStreamEvents,
  type StreamEventRow,
  type LiveUsage,
} from './stream-queries.ts'
import { Value } from 'typebox/value'

export type StreamHubOptions = Pick<Deps, 'db' | 'now'> & {
  onError: (error: unknown) => void
  perAccount?: number
  total?: number
}

const PER_ACCOUNT = 6
const TOTAL = 1_000
const POLL_MS = 1_000
const EVENTS_PER_POLL = 100
/** Maximum number of missed events that are sent one by one. */
export const RESUMED_MAX = 500
export const RESUMED_WITHIN_MS = 3_600_000
/** Older limits are not current. */
const LIVE_MS = 120_000

type Channel = { position: bigint; streams: Set<OpenStream>; tick: string }

/**
 * The open streams of this process. All processes write events to one table, which each reads once a second for the
 * accounts of its streams; so a client can resume at any process.
 */
export class StreamHub {
  private readonly channels = new Map<string, Channel>()
  private platform: bigint | undefined
  private timer: NodeJS.Timeout | undefined
  private isStopped = false
  private readonly slots: OpenSlots
  private readonly options: StreamHubOptions

  constructor(options: StreamHubOptions) {
    this.options = options
    const { perAccount = PER_ACCOUNT, total = TOTAL } = options
    this.slots = new OpenSlots({ perAccount, total, code: 'stream.too_many', what: 'event streams' })
  }

  /**
   * Opens a stream of the account's events from now on, or after the client's last id.
   * @throws AppError `service.unavailable` while the process stops
   */
  async open(accountId: string, lastEventId: string | undefined): Promise<Readable> {
    const free = this.slots.take(accountId)
    let stream: OpenStream | undefined
    try {
      const { channel, from } = await this.join(accountId)
      // After `stop`, the stream would never be closed.
      if (this.isStopped)
        throw new AppError('service.unavailable', 'The server is restarting. Reconnect in a moment.', RETRY)
      stream = new OpenStream(from, () => this.options.now().getTime())
      stream.output.once('close', free)
      this.add(accountId, channel, stream)
      const { messages, after } = lastEventId === undefined ? NONE : await this.missed(accountId, lastEventId, from)
      stream.begin(messages, after)
      this.schedule()
      return stream.output
    } catch (error) {
      stream?.output.destroy()
      free()
      throw error
    }
  }

  /** Ends every stream with a request to reconnect, to another process when this one stops. */
  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
    for (const stream of this.all()) stream.end('service.stopping')
  }

  private async join(accountId: string) {
    const { db } = this.options
    const position = this.channels.get(accountId)?.position ?? (await findLastPosition(db, accountId))
    const platform = this.platform ?? (await findLastPosition(db, PLATFORM_SCOPE))
    // Another stream may have been opened during the read.
    const channel = this.channels.get(accountId) ?? { position, streams: new Set<OpenStream>(), tick: '' }
    this.platform ??= platform
    return { channel, from: { account: channel.position, platform: this.platform } }
  }

  private add(accountId: string, channel: Channel, stream: OpenStream): void {
    this.channels.set(accountId, channel)
    channel.streams.add(stream)
    stream.output.once('close', () => {
      channel.streams.delete(stream)
      if (channel.streams.size === 0 && this.channels.get(accountId) === channel) this.channels.delete(accountId)
      if (this.channels.size === 0) this.platform = undefined
    })
  }

  private async missed(
    accountId: string,
    lastEventId: string,
    from: { account: bigint; platform: bigint },
  ): Promise<Missed> {
    const { db, now } = this.options
    const point = readResumePoint(lastEventId)
    if (point === undefined || now().getTime() - point.atMs > RESUMED_WITHIN_MS) return RESET
    const scopes = [
      { scope: accountId, position: point.account },
      { scope: PLATFORM_SCOPE, position: point.platform },
    ]
    const rows = await listStreamEvents(db, scopes, RESUMED_MAX + 1)
    const before = rows.filter(({ scope, position }) =>
      scope === PLATFORM_SCOPE ? BigInt(position) <= from.platform : BigInt(position) <= from.account,
    )
    return before.length > RESUMED_MAX ? RESET : { messages: before.map((row) => messageOf(row)), after: point }
  }

  private schedule(): void {
    if (this.timer !== undefined || this.isStopped || this.channels.size === 0) return
    this.timer = setTimeout(() => {
      void this.poll()
        .catch(this.options.onError)
        .finally(() => {
          this.timer = undefined
          this.schedule()
        })
    }, POLL_MS)
    this.timer.unref()
  }

  private async poll(): Promise<void> {
    try {
      await this.sendEvents()
      await this.sendUsage()
    } finally {
      for (const stream of this.all()) stream.keepAlive()
    }
  }

  private async sendEvents(): Promise<void> {
    const positions = [...this.channels].map(([scope, { position }]) => ({ scope, position }))
    if (this.platform !== undefined) positions.push({ scope: PLATFORM_SCOPE, position: this.platform })
    for (const row of await listStreamEvents(this.options.db, positions, EVENTS_PER_POLL)) {
      const position = BigInt(row.position)
      for (const stream of this.streamsFor(row.scope, position)) stream.send(messageOf(row))
    }
  }

  /** Streams that have not received this position: one opened during the read may have started after it. */
  private streamsFor(scope: string, position: bigint): Iterable<OpenStream> {
    if (scope === PLATFORM_SCOPE) {
      if (this.platform === undefined || position <= this.platform) return []
      this.platform = position
      return this.all()
    }
    const channel = this.channels.get(scope)
    if (channel === undefined || position <= channel.position) return []
    channel.position = position
    return channel.streams
  }

  private async sendUsage(): Promise<void> {
    const now = this.options.now()
    const since = new Date(now.getTime() - LIVE_MS)
    for (const live of await listLiveUsage(this.options.db, [...this.channels.keys()], { now, since })) {
      const channel = this.channels.get(live.account_id)
      const data = usageTick(live)
      const tick = JSON.stringify(data)
      if (channel === undefined || channel.tick === tick) continue
      channel.tick = tick
      for (const stream of channel.streams) stream.send({ name: 'usage', data })
    }
  }

  private all(): OpenStream[] {
    return [...this.channels.values()].flatMap(({ streams }) => [...streams])
  }
}

const RETRY = { retryAfterSeconds: 1 }

/** `after`: where the client resumes; undefined: from now on. */
type Missed = { messages: StreamMessage[]; after: ResumePoint | undefined }
const NONE: Missed = { messages: [], after: undefined }
const RESET: Missed = { messages: [{ name: 'reset', data: {} }], after: undefined }

function messageOf({ scope, position, name, data }: StreamEventRow): StreamMessage {
  const at = BigInt(position)
  return { name: nameOf(name), data, position: scope === PLATFORM_SCOPE ? { platform: at } : { account: at } }
}

/** An event name of a newer version of the service is sent as a reset: the client reloads everything. */
function nameOf(name: string): StreamEventName {
  return STREAM_EVENTS.find((event) => event === name) ?? 'reset'
}

/** Converts a row to a live usage event. */
function usageTick({ windows, windows_at, minute_at, total, failed, denied }: LiveUsage): UsageTick {
  const minute = { from: minute_at.toISOString(), total: Number(total), failed: Number(failed), denied: Number(denied) }
  return Value.Parse(UsageTick, { at: windows_at.toISOString(), windows, minute })
}
