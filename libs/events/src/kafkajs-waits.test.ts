import { getEventListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CONSUMER_OPTIONS } from './kafka.ts'
import { type ConsumerGroup, stopSignalOf, waitWhenIdle } from './kafkajs-waits.ts'

const WATCHED_MS = 2_000
/** Much less than an idle fetch waits for a message. */
const AT_ONCE_MS = 1_000
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
  const groupId = topics.prefix + crypto.randomUUID()
  const consumer = topics.kafka.consumer({ groupId, ...CONSUMER_OPTIONS, ...options })
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: false })
  await consumer.run({
    eachMessage: async ({ message: { value, timestamp } }) => {
      received.push({ text: String(value), afterMs: Date.now() - Number(timestamp) })
    },
  })
  // Consumers of earlier files of the same process may still be ending.
  const fetches = () =>
    (fetch.mock.contexts as (ConsumerGroup & { groupId: string })[]).filter((group) => group.groupId === groupId)
  /** Returns at the beginning of a fetch that waits for a message. */
  const idle = async () => {
    await waitUntil('it has joined', () => fetches().length > 2)
    const before = fetches().length
    await waitUntil('an idle fetch begins', () => {
      const group = fetches().at(-1)
      return fetches().length > before && group !== undefined && group.maxWaitTime > 2 * AT_ONCE_MS
    })
  }
  return { consumer, received, fetches, idle }
}

test('an idle consumer fetches less than once a second and still receives a message at once', async () => {
  const { consumer, received, fetches, idle } = await readingConsumer(BATCHED)
  await idle()
  const [before, startedMs] = [fetches().length, performance.now()]
  await delay(WATCHED_MS)
  expect(fetches().length - before).toBeLessThanOrEqual((performance.now() - startedMs) / 1_000)
  // More than once, because a busy machine can delay a message.
  await waitUntil('a message is received at once', async () => {
    await idle()
    const count = received.length
    await producer.send({ topic, messages: [{ key: 'a', value: 'first' }] })
    await waitUntil('it is received', () => received.length > count)
    return (received.at(-1)?.afterMs ?? Infinity) < AT_ONCE_MS
  })
  await consumer.disconnect()
})

test('a consumer that stops does not wait for its fetch', async () => {
  // More than once, because a busy machine can delay the end.
  await waitUntil('a consumer stops at once', async () => {
    const { consumer, idle } = await readingConsumer()
    await idle()
    const startedMs = performance.now()
    await consumer.disconnect()
    return performance.now() - startedMs < AT_ONCE_MS
  })
})

test('the timers and listeners of a fetch are removed after it', async () => {
  const { consumer, fetches, idle } = await readingConsumer({ maxWaitTimeInMs: 20 })
  await idle()
  const before = fetches().length
  for (let n = 0; n < 5; n += 1) {
    await producer.send({ topic, messages: [{ key: 'a', value: `message ${n}` }] })
    await waitUntil('it fetches again', () => fetches().length > before + 2 * n)
  }
  const group = fetches().at(-1)
  if (group === undefined) throw new Error('there was no fetch')
  expect(getEventListeners(stopSignalOf(group), 'abort').length).toBeLessThanOrEqual(1)
  await consumer.disconnect()
})
