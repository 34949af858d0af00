import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import type { Event } from '@tapeline/contracts/event'
import { keyCreated, nameOf, noteMigrations, type NoteTables } from '@tapeline/testing/note-tables'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { Transaction } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { applyBatch } from './apply-batch.ts'
import type { ConsumerOptions } from './consumer-options.ts'
import { type RunningConsumer, startConsumer } from './consume.ts'
import { createDeadLetterBox } from './dead-letter-box.ts'
import { createProducer } from '../kafka.ts'
import { createParser } from '../parse-message.ts'
import { on } from '../subscription.ts'

const database = await openTestDatabase<NoteTables>(noteMigrations)
const { db } = database
const topics = await openTestTopics(['api-key'])
const topic = `${topics.prefix}api-key`
const producer = createProducer(topics.kafka)
let group = ''
let consumers: RunningConsumer[] = []

beforeAll(() => producer.connect())
beforeEach(() => {
  group = `notes-${crypto.randomUUID().slice(0, 8)}`
})
afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()))
  consumers = []
})
afterAll(async () => {
  await producer.disconnect()
  await topics.drop()
  await database.drop()
})

type Verb = (trx: Transaction<NoteTables>, event: Event<unknown>) => Promise<void>
const note: Verb = async (trx, event) => {
  await trx
    .insertInto('note')
    .values({ text: nameOf(event) })
    .execute()
}
const optionsFor = (verb: Verb): ConsumerOptions<NoteTables> => ({
  kafka: topics.kafka,
  db,
  group,
  topicPrefix: topics.prefix,
  subscriptions: [on(apiKeyCreated, verb)],
  log: silentLogger,
  now: () => new Date(),
})
const start = (verb: Verb = note, options: Partial<ConsumerOptions<NoteTables>> = {}) => {
  const consumer = startConsumer({ ...optionsFor(verb), ...options })
  consumers.push(consumer)
  return consumer
}
const SUBJECT = 'one-subject-one-partition'
const send = (...values: string[]) =>
  producer.send({ topic, acks: -1, messages: values.map((value) => ({ key: SUBJECT, value })) })
const event = (name: string) => JSON.stringify(keyCreated(SUBJECT, name))
const notes = async (like: string) => {
  const rows = await db
    .selectFrom('note')
    .select('text')
    .where('text', 'like', `${like}%`)
    .orderBy('position')
    .execute()
  return rows.map(({ text }) => text)
}
const noted = (like: string, count: number) =>
  waitUntil(`${count} notes`, async () => ((await notes(like)).length >= count ? notes(like) : undefined))
const letters = () => db.selectFrom('dead_letter').selectAll().execute()

test('each event is applied once and in order, also across restarts', async () => {
  const first = start()
  await send(event('a1'), event('a2'))
  await noted('a', 2)
  await first.stop()
  await send(event('a3'))
  start()
  await send(event('a4'))
  expect(await noted('a', 4)).toEqual(['a1', 'a2', 'a3', 'a4'])
})

test('writes of a failed batch are rolled back, and made once when the batch succeeds', async () => {
  let failures = 0
  start(async (trx, one) => {
    await note(trx, one)
    if (nameOf(one) === 'b2' && failures < 3) {
      failures += 1
      throw Object.assign(new Error('the database restarts'), { code: '57P01' })
    }
  })
  await send(event('b1'), event('b2'), event('b3'))
  expect(await noted('b', 3)).toEqual(['b1', 'b2', 'b3'])
  expect(failures).toBe(3)
  expect(await letters()).toEqual([])
})

test('a message that cannot be applied goes to the dead-letter table and topic with its reason; the others are applied', async () => {
  const dead: { reason: string; value: string }[] = []
  const reader = topics.kafka.consumer({ groupId: `${group}-reader` })
  await reader.connect()
  await reader.subscribe({ topics: [`${topic}.dead`], fromBeginning: true })
  await reader.run({
    eachMessage: async ({ message }) => {
      dead.push({ reason: String(message.headers?.['reason']), value: String(message.value) })
    },
  })
  start(async (trx, one) => {
    if (nameOf(one) === 'c-bad') throw new Error('there is no such key')
    await note(trx, one)
  })
  const spoiler = event('c-bad')
  await send(event('c1'), '{"half', event('c2'), spoiler, event('c3'))
  expect(await noted('c', 3)).toEqual(['c1', 'c2', 'c3'])
  const reasons = ['not JSON', 'there is no such key']
  await waitUntil('both are in the table', async () => (await letters()).length === 2)
  expect((await letters()).map(({ reason }) => reason).toSorted()).toEqual(reasons)
  const payloads = (await letters()).map(({ payload }) => Buffer.from(payload, 'base64').toString())
  expect(payloads.toSorted()).toEqual(['{"half', spoiler].toSorted())
  await waitUntil('both are in the topic', () => dead.length === 2)
  expect(dead.map(({ reason }) => reason).toSorted()).toEqual(reasons)
  await reader.disconnect()
})

test('an event type without a subscription is skipped', async () => {
  start()
  await send(JSON.stringify({ ...keyCreated(SUBJECT, 'd0'), type: 'api-key.polished.v1' }), event('d1'))
  expect(await noted('d', 1)).toEqual(['d1'])
})

test('a zombie consumer with an old batch changes nothing', async () => {
  start()
  await send(event('e1'), event('e2'))
  await noted('e', 2)
  const offsets = await db.selectFrom('consumer_offset').selectAll().orderBy('partition').execute()
  const own = offsets.find(({ next_offset }) => next_offset !== '0')
  const next = Number(own?.next_offset)
  const messages = [event('e1'), event('e2')].map((value, n) => ({
    key: Buffer.from(SUBJECT),
    value: Buffer.from(value),
    timestamp: '0',
    attributes: 0,
    offset: String(next - 2 + n),
    headers: {},
  }))
  const zombie = topics.kafka.consumer({ groupId: `${group}-zombie` })
  const options = optionsFor(note)
  const parsers = new Map([[topic, createParser([apiKeyCreated], false)]])
  const partition = own?.partition ?? 0
  await applyBatch(
    { options, parsers, letters: createDeadLetterBox(topics.kafka), inPlace: new Set([`${topic}/${partition}`]) },
    zombie,
    {
      batch: {
        topic,
        partition,
        highWatermark: String(next),
        messages,
        isEmpty: () => false,
        firstOffset: () => messages[0]?.offset ?? null,
        lastOffset: () => messages[1]?.offset ?? '',
        offsetLag: () => '0',
        offsetLagLow: () => '0',
      },
      resolveOffset: () => {},
      heartbeat: async () => {},
      pause: () => () => {},
      commitOffsetsIfNecessary: async () => {},
      uncommittedOffsets: () => ({ topics: [] }),
      isRunning: () => true,
      isStale: () => false,
    },
  )
  expect(await notes('e')).toEqual(['e1', 'e2'])
  expect(await db.selectFrom('consumer_offset').selectAll().orderBy('partition').execute()).toEqual(offsets)
})

test('after a restore from an older backup, the missing events are applied again, without waiting for a new one', async () => {
  const before = await db.selectFrom('consumer_offset').selectAll().execute()
  const first = start()
  await send(event('f1'), event('f2'))
  await noted('f', 2)
  const admin = topics.kafka.admin()
  await admin.connect()
  await waitUntil('their offsets are committed to Kafka', async () => {
    const [read] = await admin.fetchOffsets({ groupId: topics.prefix + group, topics: [topic] })
    const ends = await admin.fetchTopicOffsets(topic)
    return ends.every(({ partition, high }) => {
      const committed = read?.partitions.find((one) => one.partition === partition)?.offset
      return high === '0' || committed === high
    })
  })
  await admin.disconnect()
  await first.stop()
  await db.deleteFrom('note').where('text', 'like', 'f%').execute()
  for (const { partition, next_offset } of before) {
    await db.updateTable('consumer_offset').set({ next_offset }).where('partition', '=', partition).execute()
  }
  start()
  expect(await noted('f', 2)).toEqual(['f1', 'f2'])
  await send(event('f3'))
  expect(await noted('f', 3)).toEqual(['f1', 'f2', 'f3'])
})

test('a topic that was recreated is read from its beginning', async () => {
  await db.updateTable('consumer_offset').set({ next_offset: '1000000' }).execute()
  start()
  await send(event('g1'))
  expect((await noted('g', 1)).at(-1)).toBe('g1')
})
