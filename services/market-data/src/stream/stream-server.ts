import { type BroadcastConsumer, startBroadcastConsumer } from '@tapeline/events/broadcast-consumer'
import type { createKafka } from '@tapeline/events/kafka'
import type { UserActor } from '@tapeline/contracts/actor'
import { STREAM_HEARTBEAT_MS } from '@tapeline/contracts/market-data/stream'
import { Registry } from '@tapeline/service/metrics'
import type { Logger } from '@tapeline/service/logger'
import type { Deps } from '../deps.ts'
import { createFairQueue } from '../records/fair-queue.ts'
import type { Readers } from '../simulator/readers.ts'
import { BookFeeds } from './book/book-feeds.ts'
import { LiveFeeds } from './live-feeds.ts'
import { LIVE_TOPIC } from './stored-publisher.ts'
import { pacedTransport } from './paced-transport.ts'
import type { Feeds } from './start-subscription.ts'
import { createStreamMetrics, type StreamMetrics } from './stream-metrics.ts'
import { StreamConnection, type Transport } from './stream-connection.ts'

export type StreamServerOptions = {
  deps: Deps
  kafka: ReturnType<typeof createKafka>
  topicPrefix: string
  logger: Logger
  /** Interval of the query for records that no message announced. */
  compareEveryMs?: number
  registry?: Registry
  /** Called while there are connections, which read every record. */
  readers?: Readers
}

/** `messagesPerSecond`: 0 without a limit. */
export type StreamCaller = { actor: UserActor; requestId: string; messagesPerSecond: number }

const COMPARE_EVERY_MS = 5_000
const MS_PER_SECOND = 1_000
/**
 * After a restart all clients reconnect at the same time: without turns they would exhaust the database connections of
 * the process. The queue has room for every subscription.
 */
const QUEUE = { runningMax: 4, waitingMax: 1_000_000, waitingOfAccountMax: 1_000_000 }

/** The live streams of this process. */
export class StreamServer {
  private readonly options: StreamServerOptions
  private readonly feeds: Feeds
  private readonly connections = new Set<StreamConnection>()
  private readonly metrics: StreamMetrics
  private consumer: BroadcastConsumer | undefined
  private timers: NodeJS.Timeout[] = []
  private isStopped = false

  constructor(options: StreamServerOptions) {
    this.options = options
    this.metrics = createStreamMetrics(options.registry ?? new Registry(), () => this.numbers())
    const records = new LiveFeeds(options.deps, options.logger)
    this.feeds = { records, books: new BookFeeds(options.deps, records, options.logger), queue: createFairQueue(QUEUE) }
  }

  /** Resolves when messages of the live topic arrive; streams work before that, more slowly. */
  start(): Promise<void> {
    const { kafka, topicPrefix, logger, compareEveryMs = COMPARE_EVERY_MS } = this.options
    this.consumer = startBroadcastConsumer({
      kafka,
      name: `${topicPrefix}market-data-live`,
      topics: [topicPrefix + LIVE_TOPIC],
      onMessage: (value, appendedMs) => this.accept(value, appendedMs),
      log: logger,
    })
    this.timers = [
      setInterval(() => void this.compareWithStore(), compareEveryMs).unref(),
      setInterval(() => this.sendHeartbeats(), STREAM_HEARTBEAT_MS).unref(),
    ]
    return this.consumer.joined
  }

  open({ actor, requestId, messagesPerSecond }: StreamCaller, connected: Transport): StreamConnection {
    const { deps, logger } = this.options
    const { feeds, metrics } = this
    const transport = pacedTransport(connected, messagesPerSecond)
    const onEnd = (connection: StreamConnection) => this.connections.delete(connection)
    const connection = new StreamConnection({ deps, feeds, actor, transport, requestId, logger, metrics, onEnd })
    this.connections.add(connection)
    // The request was accepted before the process began to stop.
    if (this.isStopped) connection.sendGoodbye()
    return connection
  }

  async stop(): Promise<void> {
    this.isStopped = true
    for (const timer of this.timers) clearInterval(timer)
    for (const connection of this.connections) connection.sendGoodbye()
    await this.consumer?.stop()
  }

  private accept(value: Buffer | null, appendedMs: number): void {
    if (this.feeds.records.accept(value)) this.metrics.observeLag((Date.now() - appendedMs) / MS_PER_SECOND)
  }

  private numbers(): { connections: number; subscriptions: number } {
    const counts = [...this.connections].map((connection) => connection.subscriptionCount())
    return { connections: counts.length, subscriptions: counts.reduce((sum, count) => sum + count, 0) }
  }

  private async compareWithStore(): Promise<void> {
    this.feeds.books.dropUnused()
    if (this.connections.size > 0) this.options.readers?.note()
    try {
      await this.feeds.records.compareWithStore()
    } catch (err) {
      this.options.logger.warn({ err }, 'stream: comparing the live feeds with the store failed; retrying')
    }
  }

  private sendHeartbeats(): void {
    for (const connection of this.connections) connection.sendHeartbeat()
  }
}
