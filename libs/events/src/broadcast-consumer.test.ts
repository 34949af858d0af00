import { openTestTopics, type TestTopics } from '@tapeline/testing/kafka/test-topics'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBroadcastConsumer } from './broadcast-consumer.ts'
import { createProducer } from './kafka.ts'

let topics: TestTopics
let producer: ReturnType<typeof createProducer>

beforeAll(async () => {
  topics = await openTestTopics(['market-data-live'])
  producer = createProducer(topics.kafka)
  await producer.connect()
})
afterAll(async () => {
  await producer.disconnect()
  await topics.drop()
})

const topic = () => `${topics.prefix}market-data-live`
const send = (value: string) => producer.send({ topic: topic(), messages: [{ value }] })

test('every consumer receives every message, and one that has crashed joins again', async () => {
  const received = new Map<string, string[]>([
    ['steady', []],
    ['crashing', []],
  ])
  let crashes = 0
  const receiving = { steady: 0, crashing: 0 }
  const start = (name: 'steady' | 'crashing') =>
    startBroadcastConsumer({
      kafka: topics.kafka,
      name: `${topics.prefix}broadcast`,
      topics: [topic()],
      onMessage(value) {
        if (name === 'crashing' && String(value) === 'crash') {
          crashes += 1
          // kafkajs retries any other error for a minute.
          throw new RangeError('a fault of the listener')
        }
        received.get(name)?.push(String(value))
      },
      onReceiving: () => (receiving[name] += 1),
      log: silentLogger,
    })
  const consumers = [start('steady'), start('crashing')]
  await Promise.all(consumers.map(({ joined }) => joined))
  await waitUntil('both receive', async () => {
    // What is sent before the first fetch is not delivered.
    await send('first')
    return [...received.values()].every((values) => values.includes('first'))
  })
  expect(Math.min(...Object.values(receiving)), 'reported by both').toBeGreaterThan(0)
  const beforeCrash = receiving.crashing
  await send('crash')
  await waitUntil('one has crashed', () => crashes > 0)
  await waitUntil('it receives again', async () => {
    await send('after')
    return received.get('crashing')?.includes('after')
  })
  expect(crashes).toBe(1)
  expect(receiving.crashing, 'reported again after the crash').toBeGreaterThan(beforeCrash)
  await waitUntil('the other received both', () =>
    ['crash', 'after'].every((value) => received.get('steady')?.includes(value)),
  )
  for (const consumer of consumers) await consumer.stop()
})
