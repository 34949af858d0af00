import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import { keyCreated, nameOf, noteMigrations, type NoteTables } from '@tapeline/testing/note-tables'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type RunningConsumer, startConsumer } from './consume.ts'
import type { ConsumerOptions } from './consumer-options.ts'
import { createKafka, createProducer } from '../kafka.ts'
import { on } from '../subscription.ts'

const database = await openTestDatabase<NoteTables>(noteMigrations)
const topics = await openTestTopics(['api-key'])
const producer = createProducer(topics.kafka)
const applied = new Set<string>()
let consumer: RunningConsumer

beforeAll(() => producer.connect())
afterEach(() => consumer.stop())
afterAll(async () => {
  await producer.disconnect()
  await topics.drop()
  await database.drop()
})

const start = (apply: (name: string) => Promise<void>, options: Partial<ConsumerOptions<NoteTables>>) => {
  consumer = startConsumer({
    kafka: topics.kafka,
    db: database.db,
    group: `watched-${crypto.randomUUID().slice(0, 8)}`,
    topicPrefix: topics.prefix,
    subscriptions: [
      on<NoteTables, typeof apiKeyCreated.data>(apiKeyCreated, async (_trx, event) => {
        await apply(nameOf(event))
        applied.add(nameOf(event))
      }),
    ],
    log: silentLogger,
    now: () => new Date(),
    ...options,
  })
}
const send = (name: string) =>
  producer.send({
    topic: `${topics.prefix}api-key`,
    acks: -1,
    messages: [{ key: 'one', value: JSON.stringify(keyCreated('one', name)) }],
  })
const atOnce = async () => {}

test('without Kafka the consumer starts, retries and stops promptly, and is not reported as stuck', async () => {
  const warnings: string[] = []
  const log = {
    debug: () => {},
    info: () => {},
    warn: (_: object, text: string) => warnings.push(text),
    error: () => {},
  }
  const away = createKafka({ brokers: '127.0.0.1:1', clientId: 'test', log })
  start(atOnce, { kafka: away, progress: { checkEveryMs: 20, stuckAfterMs: 40 } })
  await waitUntil('it has tried', () => warnings.length > 0)
  expect(consumer.progress.isStuck()).toBe(false)
  const startedMs = Date.now()
  await consumer.stop()
  expect(Date.now() - startedMs).toBeLessThan(2_000)
})

test('a handler that never returns is reported as stuck until it returns', async () => {
  const release = Promise.withResolvers<void>()
  start(async (name) => (name === 'slow' ? release.promise : undefined), {
    progress: { checkEveryMs: 50, stuckAfterMs: 400 },
  })
  await send('quick')
  await waitUntil('the quick one is applied', () => applied.has('quick'))
  expect(consumer.progress.isStuck()).toBe(false)
  await send('slow')
  await waitUntil('it is stuck', () => consumer.progress.isStuck())
  expect(consumer.progress.lag()).toBe(1)
  release.resolve()
  await waitUntil('it goes on', () => !consumer.progress.isStuck() && consumer.progress.lag() === 0)
})

test('the time up to which every message is applied advances while messages keep arriving', async () => {
  const reports: { at: Date; has: number }[] = []
  const onCaughtUp = async (at: Date) => {
    reports.push({ at, has: applied.size })
  }
  start(atOnce, { progress: { checkEveryMs: 30, onCaughtUp } })
  const sent: { at: Date; count: number }[] = []
  const before = applied.size
  for (let n = 1; n <= 40; n += 1) {
    await send(`steady ${n}`)
    sent.push({ at: new Date(), count: before + n })
  }
  const lastAt = sent.at(-1)?.at ?? 0
  await waitUntil('it has caught up', () => (reports.at(-1)?.at ?? 0) > lastAt)
  for (const { at, has } of reports) {
    const countThen = sent.findLast((one) => one.at < at)?.count ?? 0
    expect(has).toBeGreaterThanOrEqual(countThen)
  }
})
