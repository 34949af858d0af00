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
/** Sends to a partition of its own choice instead of the key's. */
const sendTo = (partition: number, name: string) =>
  producer.send({
    topic: `${topics.prefix}api-key`,
    acks: -1,
    messages: [{ partition, key: 'any', value: JSON.stringify(keyCreated('any', name)) }],
  })
const atOnce = async () => {}
const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

test('without Kafka the consumer starts, retries and stops promptly, and is not reported as stuck', async () => {
  const warnings: string[] = []
  const log = { ...silentLog, warn: (_: object, text: string) => warnings.push(text) }
  const unavailable = createKafka({ brokers: '127.0.0.1:1', clientId: 'test', log })
  start(atOnce, { kafka: unavailable, progress: { checkEveryMs: 20, stuckAfterMs: 40 } })
  await waitUntil('it has tried', () => warnings.length > 0)
  expect(consumer.progress.isStuck()).toBe(false)
  const startedMs = Date.now()
  await consumer.stop()
  // kafkajs itself would go on trying for a minute.
  expect(Date.now() - startedMs).toBeLessThan(20_000)
})

test('a handler that never returns is reported as stuck until it returns', async () => {
  const release = Promise.withResolvers<void>()
  start(async (name) => (name === 'slow' ? release.promise : undefined), {
    progress: { checkEveryMs: 50, stuckAfterMs: 400 },
  })
  await send('quick')
  await waitUntil('the fast one is applied', () => applied.has('quick'))
  // On a busy machine it may have waited longer than the 400 ms.
  await waitUntil('nothing waits', () => consumer.progress.lag() === 0 && !consumer.progress.isStuck())
  await send('slow')
  await waitUntil('it is stuck', () => consumer.progress.isStuck())
  expect(consumer.progress.lag()).toBe(1)
  release.resolve()
  await waitUntil('it goes on', () => !consumer.progress.isStuck() && consumer.progress.lag() === 0)
})

test('a partition whose handler keeps failing is reported as stuck while the others advance', async () => {
  const errors: { fields: object; text: string }[] = []
  const log = { ...silentLog, error: (fields: object, text: string) => errors.push({ fields, text }) }
  let isFailing = true
  const apply = async (name: string) => {
    if (name === 'failing' && isFailing) throw Object.assign(new Error('lock timeout'), { code: '55P03' })
  }
  // kafkajs waits up to a second between two attempts, and the other partitions wait with it.
  start(apply, { log, progress: { checkEveryMs: 50, stuckAfterMs: 6_000 } })
  await sendTo(1, 'failing')
  let sent = 0
  const isReported = async () => {
    sent += 1
    await Promise.all([0, 2].map((partition) => sendTo(partition, `other ${sent} of ${partition}`)))
    return consumer.progress.isStuck()
  }
  await waitUntil('it is stuck', isReported)
  expect(errors.map(({ fields }) => fields)).toEqual([
    {
      group: expect.stringContaining('watched-'),
      topic: `${topics.prefix}api-key`,
      partition: 1,
      next: expect.stringMatching(/^\d+$/),
      waiting: 1,
      since: expect.any(Date),
    },
  ])
  expect(errors[0]?.text).toContain('the process exits')
  await waitUntil('the others advance', () => applied.has('other 1 of 0') && applied.has('other 1 of 2'))
  isFailing = false
  await waitUntil('it goes on', () => !consumer.progress.isStuck() && applied.has('failing'))
})

test('messages that Kafka deleted before they were read do not count as waiting', async () => {
  await sendTo(0, 'deleted')
  const admin = topics.kafka.admin()
  await admin.connect()
  const topic = `${topics.prefix}api-key`
  const end = (await admin.fetchTopicOffsets(topic)).find(({ partition }) => partition === 0)?.high ?? ''
  await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: end }] })
  await admin.disconnect()
  let caughtUp = 0
  const onCaughtUp = async () => void (caughtUp += 1)
  start(atOnce, { progress: { checkEveryMs: 20, stuckAfterMs: 200, onCaughtUp } })
  await sendTo(1, 'kept')
  await waitUntil('it is applied', () => applied.has('kept'))
  const before = caughtUp
  await waitUntil('several checks found nothing waiting', () => caughtUp > before + 10)
  expect(consumer.progress.lag()).toBe(0)
  expect(consumer.progress.isStuck()).toBe(false)
  expect(applied.has('deleted')).toBe(false)
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
