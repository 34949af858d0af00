import { getEventListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CONSUMER_OPTIONS } from './kafka.ts'
import { type ConsumerGroup, stopSignalOf, waitWhenIdle } from './kafkajs-waits.ts'

const WATCHED_MS = 2_000
const AT_ONCE_MS = 300
/** Larger than every message of these tests, so that Kafka does not respond immediately because of the size. */
const BATCHED = { minBytes: 100_000, maxWaitTimeInMs: 400 }
const topics = await openTestTopics(['config'])
const topic = `${topics.prefix}config`
const producer = topics.kafka.producer()
const fetch = vi.spyOn(waitWhenIdle().prototype, 'fetch')

beforeAll(() => producer.connect())
afterAll(async () => {
  await producer.disconnect()
  await topics.drop()
})

async function readingConsumer(options: object = {}) {
  const received: { text: string; afterMs: number }[] = []
  const consumer = topics.kafka.consumer({
    groupId: topics.prefix + crypto.randomUUID(),
    ...CONSUMER_OPTIONS,
    ...options,
  })
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: false })
  await consumer.run({
    eachMessage: async ({ message: { value, timestamp } }) => {
      received.push({ text: String(value), afterMs: Date.now() - Number(timestamp) })
    },
  })
  const idle = async () => {
    await waitUntil('it has joined', () => fetch.mock.calls.length > 2)
    await delay(AT_ONCE_MS)
  }
  return { consumer, received, idle }
}

test('an idle consumer fetches less than once a second and still receives a message at once', async () => {
  const { consumer, received, idle } = await readingConsumer(BATCHED)
  await idle()
  fetch.mockClear()
  await delay(WATCHED_MS)
  expect(fetch.mock.calls.length).toBeLessThanOrEqual(1)
  await producer.send({ topic, messages: [{ key: 'a', value: 'first' }] })
  await waitUntil('it is received', () => received.length === 1)
  expect(received[0]?.afterMs).toBeLessThan(AT_ONCE_MS)
  await consumer.disconnect()
})

test('a consumer that stops does not wait for its fetch', async () => {
  const { consumer, idle } = await readingConsumer()
  await idle()
  const startedMs = performance.now()
  await consumer.disconnect()
  expect(performance.now() - startedMs).toBeLessThan(AT_ONCE_MS)
})

test('the timers and listeners of a fetch are removed after it', async () => {
  const { consumer, idle } = await readingConsumer({ maxWaitTimeInMs: 20 })
  await idle()
  fetch.mockClear()
  for (let n = 0; n < 5; n += 1) {
    await producer.send({ topic, messages: [{ key: 'a', value: `message ${n}` }] })
    await waitUntil('it fetches again', () => fetch.mock.calls.length > 2 * n)
  }
  const group = fetch.mock.contexts.at(-1)
  if (group === undefined || group === null) throw new Error('there was no fetch')
  expect(getEventListeners(stopSignalOf(group as ConsumerGroup), 'abort').length).toBeLessThanOrEqual(1)
  await consumer.disconnect()
})
