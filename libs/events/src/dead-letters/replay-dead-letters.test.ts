import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import { keyCreated, nameOf, noteMigrations, type NoteTables } from '@tapeline/testing/note-tables'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConsumer } from '../consumer/consume.ts'
import { runDeadLetterCommand } from './dead-letter-command.ts'
import { createProducer } from '../kafka.ts'
import { replayDeadLetters } from './replay-dead-letters.ts'
import { on } from '../subscription.ts'

const EVENTS = 400
const POISON_EVERY = 100
const APPLIED_WITHIN_MS = 60_000
const SUBJECT = 'one-subject-one-partition'

const database = await openTestDatabase<NoteTables>(noteMigrations)
const { db } = database
const topics = await openTestTopics(['api-key'])
const producer = createProducer(topics.kafka)

/** Error that the handler throws for a name, as set by the test. */
let fault: ((name: string) => Error | undefined) | undefined
const listening = {
  db,
  topicPrefix: topics.prefix,
  subscriptions: [
    on<NoteTables, typeof apiKeyCreated.data>(apiKeyCreated, async (trx, event) => {
      const name = nameOf(event)
      await trx.insertInto('note').values({ text: name }).execute()
      const error = fault?.(name)
      if (error !== undefined) throw error
    }),
  ],
}

beforeAll(() => producer.connect())
afterAll(async () => {
  await producer.disconnect()
  await topics.drop()
  await database.drop()
})

const isPoison = (n: number) => n % POISON_EVERY === POISON_EVERY / 2
const isTorn = (n: number) => isPoison(n) && n % (2 * POISON_EVERY) === POISON_EVERY / 2
const nameAt = (n: number) => (isPoison(n) ? `bad ${n}` : `${n}`)
const numbers = Array.from({ length: EVENTS }, (_, n) => n)
const good = numbers.filter((n) => !isPoison(n)).map(nameAt)
const mendable = numbers.filter((n) => isPoison(n) && !isTorn(n)).map(nameAt)
const torn = numbers.filter(isTorn).length

const notes = async () => {
  const rows = await db.selectFrom('note').select('text').orderBy('position').execute()
  return rows.map(({ text }) => text)
}
const reasons = async () => {
  const rows = await db.selectFrom('dead_letter').select('reason').execute()
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ reason }) => reason)].map(([reason, list]) => [reason, list.length]),
  )
}

test('one invalid event in a hundred is stored with its reason; the others are applied once and in order', async () => {
  fault = (name) => (name.startsWith('bad') ? new Error('there is no such key') : undefined)
  const messages = numbers.map((n) => {
    const value = JSON.stringify(keyCreated(SUBJECT, nameAt(n)))
    return { key: SUBJECT, value: isTorn(n) ? value.slice(0, -1) : value }
  })
  await producer.send({ topic: `${topics.prefix}api-key`, acks: -1, messages })
  const consumer = startConsumer({
    ...listening,
    kafka: topics.kafka,
    group: 'notes',
    log: silentLogger,
    now: () => new Date(),
  })
  try {
    await waitUntil('the last is applied', async () => (await notes()).includes(`${EVENTS - 1}`), APPLIED_WITHIN_MS)
  } finally {
    await consumer.stop()
  }
  expect(await notes()).toEqual(good)
  expect(await reasons()).toEqual({ 'not JSON': torn, 'there is no such key': mendable.length })
})

test('dead letters are unchanged while the database cannot apply them', async () => {
  fault = () => Object.assign(new Error('the database restarts'), { code: '57P01' })
  const before = await reasons()
  await expect(replayDeadLetters(listening)).rejects.toThrow('the database restarts')
  expect(await reasons()).toEqual(before)
  expect(await notes()).toEqual(good)
})

test('a dead letter that still cannot be applied remains, with the current reason', async () => {
  fault = () => new Error('there is still no such key')
  expect(await replayDeadLetters(listening)).toEqual({ restored: 0, left: torn + mendable.length })
  expect(await reasons()).toEqual({ 'not JSON': torn, 'there is still no such key': mendable.length })
  expect(await notes()).toEqual(good)
})

test('concurrent replays apply a dead letter once', async () => {
  fault = undefined
  const both = await Promise.all([replayDeadLetters(listening), replayDeadLetters(listening)])
  expect(both[0].restored + both[1].restored).toBe(mendable.length)
  expect(await notes()).toHaveLength(good.length + mendable.length)
  expect((await notes()).slice(good.length).toSorted()).toEqual(mendable.toSorted())
  expect(await reasons()).toEqual({ 'not JSON': torn })
})

async function run(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = []
  const code = await runDeadLetterCommand(args, { ...listening, print: (line) => lines.push(line) })
  return { code, lines }
}

test('an operator discards one dead letter, and the output states which, why, when and by whom', async () => {
  const place = { topic: `${topics.prefix}api-key`, partition: 0, message_offset: '900719925474099312' }
  const words = Object.values(place).map(String)
  expect((await run('discard', ...words)).code).toBe(1)
  await db
    .insertInto('dead_letter')
    .values({ ...place, reason: 'no such venue', payload: 'e30=', created_at: new Date(0) })
    .execute()
  const { code, lines } = await run('discard', ...words)
  expect(code).toBe(0)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    discarded: { ...place, reason: 'no such venue', created_at: new Date(0).toISOString() },
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    by: expect.stringMatching(/.+@.+/),
  })
  expect(await reasons()).toEqual({ 'not JSON': torn })
  expect(await notes()).toHaveLength(good.length + mendable.length)
})

test.each([
  [],
  ['api-key'],
  ['api-key', '0'],
  ['api-key', 'x', '1'],
  ['api-key', '0', '-1'],
  ['api-key', '0', '1', '2'],
])('discard needs topic, partition and offset: %j', async (...words) => {
  const { code, lines } = await run('discard', ...words)
  expect(code).toBe(2)
  expect(lines).toEqual(['Usage: dead-letters list | replay | discard <topic> <partition> <offset>'])
})

test('an operator sees the remaining dead letters and the result of a replay', async () => {
  const listed = await run('list')
  expect(listed.code).toBe(0)
  expect(listed.lines).toHaveLength(torn)
  for (const line of listed.lines) {
    expect(JSON.parse(line)).toMatchObject({ topic: `${topics.prefix}api-key`, reason: 'not JSON' })
    expect(line).not.toContain('payload')
  }
  const replayed = await run('replay')
  expect(replayed.code).toBe(1)
  expect(replayed.lines.at(-1)).toBe(JSON.stringify({ restored: 0, left: torn }))
  await db.deleteFrom('dead_letter').execute()
  expect(await run('replay')).toEqual({ code: 0, lines: ['{"restored":0,"left":0}'] })
  expect((await run('drop')).code).toBe(2)
})
