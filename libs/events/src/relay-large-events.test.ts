import { keyCreated, nameOf, noteMigrations, type NoteTables } from '@tapeline/testing/note-tables'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { recordEvent } from './outbox.ts'
import { startRelay } from './relay.ts'

const database = await openTestDatabase<NoteTables>(noteMigrations)
const { db } = database
const topics = await openTestTopics(['api-key'])
const reader = topics.kafka.consumer({ groupId: `${topics.prefix}reader`, maxWaitTimeInMs: 50 })
afterAll(async () => {
  await reader.disconnect()
  await topics.drop()
  await database.drop()
})

test('large events, together above the size of a batch that Kafka accepts, are delivered in order', async () => {
  const [subject, received]: [string, string[]] = [crypto.randomUUID(), []]
  await reader.connect()
  await reader.subscribe({ topics: [`${topics.prefix}api-key`], fromBeginning: true })
  await reader.run({
    eachMessage: async ({ message }) => void received.push(nameOf(JSON.parse(String(message.value))).slice(0, 1)),
  })
  const numbers = Array.from({ length: 8 }, (_, n) => String(n))
  for (const n of numbers) {
    const event = keyCreated(subject, n + 'x'.repeat(250_000))
    await db.transaction().execute((trx) => recordEvent(trx, event))
  }
  const relay = startRelay({
    db: db.withTables(),
    kafka: topics.kafka,
    topicPrefix: topics.prefix,
    log: silentLogger,
    now: () => new Date(),
    raiseVersion: async () => true,
  })
  await waitUntil('all are received', () => received.length === numbers.length)
  expect(received).toEqual(numbers)
  const unsent = async () => (await db.selectFrom('outbox').select('position').execute()).length
  await waitUntil('the outbox is empty', async () => (await unsent()) === 0)
  await relay.stop()
})
