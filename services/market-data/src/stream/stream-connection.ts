import { setTimeout as delay } from 'node:timers/promises'
import { cancelWith } from '@tapeline/database/cancel'
import type { UserActor } from '@tapeline/contracts/actor'
import {
  STREAM_BUFFER_BYTES_MAX,
  STREAM_CLOSE,
  type ClientMessage,
  type Subscribe,
} from '@tapeline/contracts/market-data/stream'
import type { AppError } from '@tapeline/service/app-error'
import { problemOf } from '@tapeline/service/problem'
import { toAppError } from '@tapeline/service/to-app-error'
import type { Logger } from '@tapeline/service/logger'
import type { Deps } from '../deps.ts'
import type { Message } from './feed-block.ts'
import { connectionEnded, subscriptionProblem, unknownSubscription } from './subscription-problems.ts'
import type { StreamMetrics } from './stream-metrics.ts'
import type { RunningSubscription } from './running-subscription.ts'
import { type Feeds, startSubscription } from './start-subscription.ts'
import { nowRfc3339, presentInstruments } from './stream-view.ts'
import type { Output } from './subscription.ts'

/** The transport of a connection's messages. */
export type Transport = {
  send: (message: Message) => void
  /** Bytes that the client has not received yet. */
  bufferedBytes: () => number
  /** Ends the connection after all sent messages. */
  end: (code: number, reason: string) => void
  /** The client has disconnected: nothing more is sent. */
  stop: () => void
}
export type ConnectionOptions = {
  deps: Deps
  feeds: Feeds
  actor: UserActor
  transport: Transport
  requestId: string
  logger: Logger
  metrics: StreamMetrics
  onEnd: (connection: StreamConnection) => void
}

/** While catching up, the next page is read when at most this much is unsent. */
const DRAINED_BYTES = 128 * 1024
const DRAIN_CHECK_MS = 10
const DRAIN_TIMEOUT_MS = 20_000
const CATCH_UP_MESSAGE_MS = 1_000

/** One client: its subscriptions and its outgoing messages. */
export class StreamConnection {
  private readonly options: ConnectionOptions
  private readonly subscriptions = new Map<string, RunningSubscription | undefined>()
  /** Subscriptions that are starting and end once they have started. */
  private readonly cancelled = new Set<string>()
  private readonly aborts = new AbortController()
  private readonly output: Output
  isEnded = false

  constructor(options: ConnectionOptions) {
    this.options = options
    this.output = {
      hasRoom: () => this.hasRoom(),
      send: (message) => this.send(message),
    }
  }

  subscriptionCount(): number {
    return this.subscriptions.size
  }

  async accept(message: ClientMessage): Promise<void> {
    if (message.op === 'ping') {
      this.sendFields('pong', { ...(message.id === undefined ? {} : { id: message.id }), ts: nowRfc3339() })
    } else if (message.op === 'unsubscribe') this.unsubscribe(message.id)
    else await this.subscribe(message)
  }

  /** Resolves when the subscription is live or has ended; false when it failed. */
  async subscribe(message: Subscribe): Promise<boolean> {
    const { id } = message
    const problem = subscriptionProblem(this.subscriptions, id)
    if (problem !== undefined) {
      this.sendError(problem, id)
      return false
    }
    return this.follow(message, this.start(message))
  }

  /**
   * Opens the subscription at its position; it sends nothing before `follow`, which must be called at once.
   * @throws AppError if it may not begin, the connection has ended in the meantime, or the store failed
   */
  async start(message: Subscribe): Promise<RunningSubscription> {
    const { deps, feeds, actor, logger } = this.options
    this.subscriptions.set(message.id, undefined)
    const start = () => startSubscription({ deps, feeds, actor, logger, output: this.output }, message)
    const subscription = await cancelWith(this.aborts.signal, () => feeds.queue.run(actor.userId, start))
    if (!this.isEnded) return subscription
    subscription.end()
    throw connectionEnded()
  }

  /** Resolves when the subscription is live or has ended; false when it failed, after an `error` message. */
  async follow({ id, channel }: Subscribe, starting: Promise<RunningSubscription>): Promise<boolean> {
    try {
      const subscription = await starting
      await cancelWith(this.aborts.signal, () => this.run(subscription, channel))
      return true
    } catch (error) {
      if (this.isEnded) return false
      this.removeSubscription(id)
      this.sendError(toAppError(error), id)
      return false
    }
  }

  unsubscribe(id: string): void {
    const subscription = this.subscriptions.get(id)
    if (subscription !== undefined) {
      const cursor = subscription.cursor()
      this.removeSubscription(id)
      this.sendFields('unsubscribed', { id, cursor })
    } else if (this.subscriptions.has(id)) this.cancelled.add(id)
    else this.sendError(unknownSubscription(id), id)
  }

  sendHeartbeat(): void {
    if (!this.hasRoom()) return
    const cursors = this.cursors()
    const json = JSON.stringify({ type: 'heartbeat', ts: nowRfc3339(), cursors })
    const [cursor, ...others] = Object.values(cursors)
    this.send({ type: 'heartbeat', json, ...(cursor === undefined || others.length > 0 ? {} : { cursor }) })
  }

  sendError(error: AppError, id?: string): void {
    const problem = problemOf(error, { requestId: this.options.requestId, path: undefined })
    if (this.hasRoom()) this.sendFields('error', { ...(id === undefined ? {} : { id }), problem })
  }

  /** Sends the client a request to reconnect with its cursors. */
  sendGoodbye(): void {
    if (this.isEnded) return
    this.sendFields('goodbye', { reason: 'restart', cursors: this.cursors() })
    this.end(STREAM_CLOSE.goingAway, 'restart')
  }

  end(code: number, reason: string): void {
    if (this.isEnded) return
    this.removeSubscriptions()
    this.options.transport.end(code, reason)
  }

  /** Called when the client has disconnected. */
  close(): void {
    if (this.isEnded) return
    this.removeSubscriptions()
    this.options.transport.stop()
  }

  private removeSubscriptions(): void {
    this.isEnded = true
    for (const id of this.subscriptions.keys()) this.removeSubscription(id)
    this.aborts.abort()
    this.options.onEnd(this)
  }

  private async run(subscription: RunningSubscription, channel: string): Promise<void> {
    const { id, instruments: subscribed, warnings } = subscription.parameters
    if (this.isEnded) {
      subscription.end()
      return
    }
    this.subscriptions.set(id, subscription)
    if (this.cancelled.has(id)) {
      this.unsubscribe(id)
      return
    }
    const instruments = presentInstruments(subscribed)
    const isLive = subscription.canJoin()
    const mode = isLive ? 'live' : 'catching_up'
    this.sendFields('subscribed', { id, channel, instruments, mode, cursor: subscription.cursor(), warnings })
    await this.catchUp(subscription, isLive)
  }

  private async catchUp(subscription: RunningSubscription, isLive: boolean): Promise<void> {
    const { id } = subscription.parameters
    let records = 0
    let sentMs = performance.now()
    const report = (live: boolean) => this.sendFields('catch_up', { id, live, records, cursor: subscription.cursor() })
    await subscription.readUpToNow({
      hasDrained: () => this.hasDrained(subscription),
      inTurn: (read) => this.options.feeds.queue.run(this.options.actor.userId, read),
      onPage: (rows) => {
        records += rows
        if (performance.now() - sentMs < CATCH_UP_MESSAGE_MS) return
        sentMs = performance.now()
        report(false)
      },
    })
    if (!isLive && subscription.isLive && !subscription.hasEnded()) report(true)
  }

  private async hasDrained(subscription: RunningSubscription): Promise<boolean> {
    const deadlineMs = performance.now() + DRAIN_TIMEOUT_MS
    while (!this.isEnded && !subscription.hasEnded()) {
      if (this.options.transport.bufferedBytes() <= DRAINED_BYTES) return true
      if (performance.now() > deadlineMs) this.endSlow()
      else await delay(DRAIN_CHECK_MS)
    }
    return false
  }

  private hasRoom(): boolean {
    if (this.isEnded) return false
    if (this.options.transport.bufferedBytes() <= STREAM_BUFFER_BYTES_MAX) return true
    this.endSlow()
    return false
  }

  private endSlow(): void {
    this.options.metrics.countSlowConsumer()
    this.sendFields('slow_consumer', { cursors: this.cursors() })
    this.end(STREAM_CLOSE.slowConsumer, 'slow consumer')
  }

  private removeSubscription(id: string): void {
    const subscription = this.subscriptions.get(id)
    this.subscriptions.delete(id)
    this.cancelled.delete(id)
    subscription?.end()
  }

  private cursors(): Record<string, string> {
    const entries = [...this.subscriptions].flatMap(([id, one]) => (one === undefined ? [] : [[id, one.cursor()]]))
    return Object.fromEntries(entries)
  }

  private sendFields(type: string, fields: Record<string, unknown>): void {
    const { cursor } = fields
    const json = JSON.stringify({ type, ...fields })
    this.send(typeof cursor === 'string' ? { type, json, cursor } : { type, json })
  }

  private send(message: Message): void {
    if (this.isEnded) return
    this.options.transport.send(message)
    if (message.records !== undefined) this.options.metrics.countRecords(message.type, message.records)
  }
}
