import { newEvent } from '@tapeline/contracts/event'
import { recordsIngested, venueRecordsIngested } from '@tapeline/contracts/market-data/events'
import { startConsumer } from '@tapeline/events/consumer/consume'
import { createKafka, createProducer } from '@tapeline/events/kafka'
import { Registry } from '@tapeline/service/metrics'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import type { Kafka } from 'kafkajs'
import type { AddressInfo } from 'node:net'
import { createApp } from '../../src/app.ts'
import { createDeps, type Deps } from '../../src/deps.ts'
import { migrations } from '../../src/migrations/all.ts'
import type { Ingested, VenueIngested } from '../../src/store/store-ingested.ts'
import { StoredPublisher } from '../../src/stream/stored-publisher.ts'
import { StreamServer } from '../../src/stream/stream-server.ts'
import { subscriptions } from '../../src/subscriptions.ts'
import type { Tables } from '../../src/tables.ts'

const CURSOR_SECRET = 'a secret of at least 32 characters'
const COMPARE_EVERY_MS = 1_000

/** A database, topics, the consumer that stores, and stream processes on ports of their own. */
export async function openStreamPlatform() {
  const database = await openTestDatabase<Tables>(migrations)
  const topics = await openTestTopics(['market-data', 'market-data-live'])
  const { kafka, prefix: topicPrefix } = topics
  const now = () => new Date()
  const deps = createDeps(database.pool, now, CURSOR_SECRET)
  const logger = silentLogger
  const publisher = new StoredPublisher({ kafka, topicPrefix, pool: database.pool, logger })
  const consumer = startConsumer({
    kafka,
    db: deps.db,
    group: 'market-data',
    topicPrefix,
    subscriptions: subscriptions(deps, publisher.note),
    onCommitted: publisher.publish,
    log: logger,
    now,
  })
  const sender = await startSender(kafka, topicPrefix)
  const stops: (() => Promise<unknown>)[] = []
  return {
    deps,
    pool: database.pool,
    url: database.url,
    kafka,
    topicPrefix,
    /** A process with the roles `http` and `stream`; `own` has servers of its own. */
    async startProcess(own: { deps?: Deps; kafkaBrokers?: string } = {}) {
      const { deps: its = deps, kafkaBrokers } = own
      const registry = new Registry()
      const itsKafka =
        kafkaBrokers === undefined ? kafka : createKafka({ brokers: kafkaBrokers, clientId: 'stream', log: logger })
      const options = { deps: its, kafka: itsKafka, topicPrefix, logger, registry }
      const streams = new StreamServer({ ...options, compareEveryMs: COMPARE_EVERY_MS })
      const app = await createApp(its, { logger, internalKeys: testInternalKeys, checks: {}, streams })
      await app.listen({ host: '127.0.0.1', port: 0 })
      const joined = streams.start()
      if (kafkaBrokers === undefined) await joined
      let stopping: Promise<unknown> | undefined
      const stop = () => (stopping ??= app.close())
      stops.push(stop)
      const { port } = app.server.address() as AddressInfo
      return { app, streams, port, stop, metrics: () => registry.metrics() }
    },
    /** As the simulator would send it. */
    ingest: (data: Ingested) => sender.send(newEvent(recordsIngested, { ...eventOf(data), data })),
    /** As a connector would send it. */
    ingestVenue: (data: VenueIngested) => sender.send(newEvent(venueRecordsIngested, { ...eventOf(data), data })),
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
      await consumer.stop()
      await publisher.stop()
      await sender.stop()
      await topics.drop()
      await database.drop()
    },
  }
}
export type StreamPlatform = Awaited<ReturnType<typeof openStreamPlatform>>

/** Trades with the numbers `from` (inclusive) to `to` (exclusive), three in a millisecond, from the given time on (ns). */
export function someTrades(symbol: string, startNs: bigint, from: number, to: number): Ingested {
  const trades = Array.from({ length: to - from }, (_value, index) => {
    const number = from + index
    const time = String(startNs + BigInt(Math.floor(number / 3)) * 1_000_000n)
    return {
      source_id: `t${number}`,
      ts_event: time,
      ts_recv: time,
      price: `${60_000 + (number % 50)}.5`,
      size: '0.1',
      side: number % 2 === 0 ? ('buy' as const) : ('sell' as const),
      side_source: 'venue',
      trade_id: `t${number}`,
    }
  })
  return { venue: 'sim', symbol, trades, l2_events: [] }
}

async function startSender(kafka: Kafka, topicPrefix: string) {
  const producer = createProducer(kafka)
  await producer.connect()
  return {
    async send(event: { subject: string }) {
      const messages = [{ key: event.subject, value: JSON.stringify(event) }]
      await producer.send({ topic: `${topicPrefix}market-data`, acks: -1, messages })
    },
    stop: () => producer.disconnect(),
  }
}

function eventOf({ venue, symbol }: { venue: string; symbol: string }) {
  const actor = { kind: 'service', service: 'market-data' } as const
  return { id: crypto.randomUUID(), time: new Date(), subject: `${venue}:${symbol}`, account: null, actor }
}
