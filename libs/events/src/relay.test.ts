import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { accountHashKey, raiseVersion } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { keyCreated, nameOf, noteMigrations, type NoteTables } from '@tapeline/testing/note-tables'
import { listenForWork } from '@tapeline/database/work-signals'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { waitUntil } from '@tapeline/testing/wait-until'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createKafka } from './kafka.ts'
import { recordEvent, type VersionChange } from './outbox.ts'
import type { OutboxRow } from './outbox-queries.ts'
import { type Relay, type RelayOptions, startRelay } from './relay.ts'

const database = await openTestDatabase<NoteTables>(noteMigrations)
const { db } = database
const topics = await openTestTopics(['api-key'])
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 1_000 })
const reader = topics.kafka.consumer({ groupId: `${topics.prefix}reader`, maxWaitTimeInMs: 50 })
/** Received events by subject, in log order. */
const received = new Map<string, string[]>()
/** Less than the time between two polls of a relay that listens. */
const QUIET_MS = 1_500
/** A relay polls quickly for three seconds after it began to listen. */
const AFTER_CONNECTING_MS = 3_500
let relays: Relay[] = []

beforeAll(async () => {
  await redisReady(redis, 2_000)
  await reader.connect()
  await reader.subscribe({ topics: [`${topics.prefix}api-key`], fromBeginning: true })
  await reader.run({
    eachMessage: async ({ message }) => {
      const subject = String(message.key)
      received.set(subject, [...(received.get(subject) ?? []), nameOf(JSON.parse(String(message.value)))])
    },
  })
})
beforeEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()))
  relays = []
})
afterAll(async () => {
  await Promise.all(relays.map((relay) => relay.stop()))
  await reader.disconnect()
  redis.disconnect()
  await topics.drop()
  await database.drop()
})

const relay = (options: Partial<RelayOptions> = {}) => {
  relays.push(
    startRelay({
      db: db.withTables(),
      kafka: topics.kafka,
      topicPrefix: topics.prefix,
      log: silentLogger,
      now: () => new Date(),
      raiseVersion: (change) => raiseVersion(redis, change),
      ...options,
    }),
  )
}
const save = (subject: string, name: string, ...changes: VersionChange[]) =>
  db.transaction().execute((trx) => recordEvent(trx, keyCreated(subject, name), ...changes))
const unsent = async () => (await db.selectFrom('outbox').select('position').execute()).length
const someSubject = () => crypto.randomUUID()
const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n))

test('saved events are delivered in order, once while nothing fails, and then the outbox is empty', async () => {
  const subjects = [someSubject(), someSubject(), someSubject()]
  for (const n of numbers(150)) await save(subjects[Number(n) % 3] ?? '', n)
  relay()
  relay()
  for (const n of numbers(150)) await save(subjects[Number(n) % 3] ?? '', String(150 + Number(n)))
  await waitUntil('the outbox is empty', async () => (await unsent()) === 0)
  await waitUntil('all are received', () => subjects.every((subject) => received.get(subject)?.length === 100))
  for (const [at, subject] of subjects.entries()) {
    expect(received.get(subject)).toEqual(numbers(300).filter((n) => Number(n) % 3 === at))
  }
})

test('an event of a rolled-back transaction is never delivered', async () => {
  const subject = someSubject()
  relay()
  const failing = db.transaction().execute(async (trx) => {
    await recordEvent(trx, keyCreated(subject, 'never'))
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  await save(subject, 'later')
  await waitUntil('the later one is received', () => received.get(subject))
  expect(received.get(subject)).toEqual(['later'])
})

test('events that another process wrote into the outbox are also delivered', async () => {
  const [here, elsewhere] = [someSubject(), someSubject()]
  await save(here, 'stored')
  relay()
  await waitUntil('the first is received', () => received.get(here))
  const { rows } = await sql<OutboxRow>`
    insert into outbox (topic, subject, envelope, created_at)
    select 'api-key', ${elsewhere}, ${JSON.stringify(keyCreated(elsewhere, 'from elsewhere'))}, now() returning *`.execute(
    db,
  )
  expect(rows).toHaveLength(1)
  await waitUntil('the other is received', () => received.get(elsewhere))
  expect(received.get(elsewhere)).toEqual(['from elsewhere'])
})

test('an idle relay delivers announced events of another process at once, without polling', async () => {
  const subject = someSubject()
  const signals = listenForWork({ connectionString: database.url })
  relay({ signals })
  await waitUntil('it listens', () => signals.isListening())
  await delay(AFTER_CONNECTING_MS)
  await sql`
    insert into outbox (topic, subject, envelope, created_at)
    values ('api-key', ${subject}, ${JSON.stringify(keyCreated(subject, 'announced'))}, now())`.execute(db)
  await delay(QUIET_MS)
  expect(received.get(subject)).toBeUndefined()
  const announcedMs = performance.now()
  await sql`select pg_notify('tapeline_work', 'outbox')`.execute(db)
  await waitUntil('it is received', () => received.get(subject))
  expect(performance.now() - announcedMs).toBeLessThan(QUIET_MS)
  await signals.stop()
})

test('a version is announced to the relays of other processes', async () => {
  const accountId = someSubject()
  const signals = listenForWork({ connectionString: database.url })
  let announced = 0
  signals.on('outbox', () => (announced += 1))
  await waitUntil('it listens', () => signals.isListening())
  announced = 0
  relay()
  await save(accountId, 'changed', { accountId, field: 'k:zyxwvutsrqpo', version: 1 })
  await waitUntil('it is announced', () => announced > 0)
  await waitUntil('the outbox is empty', async () => (await unsent()) === 0)
  await signals.stop()
})

test('a version reaches Redis while Kafka is unavailable, and the event follows when Kafka is back', async () => {
  const accountId = someSubject()
  const unreachable = createKafka({ brokers: '127.0.0.1:1', clientId: 'test', log: silentLogger })
  await save(accountId, 'first', { accountId, field: 'k:abcdefghijkl', version: 4 })
  relay({ kafka: unreachable })
  await waitUntil('Redis has it', async () => (await redis.hget(accountHashKey(accountId), 'k:abcdefghijkl')) === '4')
  expect(await unsent()).toBe(1)
  relay()
  await waitUntil('it is received', () => received.get(accountId))
})

test('an event is sent while Redis is unavailable, and the version is written when Redis is back', async () => {
  const accountId = someSubject()
  let isUnavailable = true
  await save(accountId, 'first', { accountId, field: 'u', version: 2 })
  relay({ raiseVersion: async (change) => !isUnavailable && raiseVersion(redis, change) })
  await waitUntil('it is received', () => received.get(accountId))
  expect(await redis.hget(accountHashKey(accountId), 'u')).toBeNull()
  isUnavailable = false
  await waitUntil('Redis has it', async () => (await redis.hget(accountHashKey(accountId), 'u')) === '2')
  await waitUntil('the outbox is empty', async () => (await unsent()) === 0)
})

test('an event with several versions is delivered once, and Redis gets each version', async () => {
  const accountId = someSubject()
  const fields = ['k:abcdefghijkl', 'k:ABCDEFGHIJKL', 'u']
  await save(accountId, 'first', ...fields.map((field) => ({ accountId, field, version: 7 })))
  relay()
  await waitUntil('the outbox is empty', async () => (await unsent()) === 0)
  await save(accountId, 'second')
  await waitUntil('both are received', () => received.get(accountId)?.includes('second'))
  expect(received.get(accountId)).toEqual(['first', 'second'])
  expect(await redis.hmget(accountHashKey(accountId), ...fields)).toEqual(['7', '7', '7'])
})

test('no completed row is ever committed, so a killed relay leaves none behind', async () => {
  const accountId = someSubject()
  await sql`
    create function forbid_completed() returns trigger language plpgsql as $$
    begin
      if exists (select from outbox where sent_at is not null and version is null) then raise 'completed'; end if;
      return null;
    end $$`.execute(db)
  await sql`
    create constraint trigger forbid_completed after update on outbox deferrable initially deferred
    for each row execute function forbid_completed()`.execute(db)
  await save(accountId, 'without a version')
  await save(accountId, 'with a version', { accountId, field: 'k:abcdefghijkl', version: 9 })
  relay()
  await waitUntil('the outbox is empty', async () => (await unsent()) === 0)
  await sql`drop function forbid_completed cascade`.execute(db)
  await waitUntil('both are received', () => received.get(accountId)?.length === 2)
})

test('a relay that loses its database after sending only repeats events', async () => {
  const subject = someSubject()
  for (const n of numbers(20)) await save(subject, n)
  let cuts = 0
  relay({
    now: () => {
      // Called between the broker's response and the update that marks the rows as sent.
      cuts += 1
      if (cuts <= 2) throw new Error('cut off')
      return new Date()
    },
  })
  await waitUntil('the outbox is empty', async () => (await unsent()) === 0)
  await waitUntil('all are received', () => received.get(subject)?.length === 60)
  expect(received.get(subject)).toEqual([...numbers(20), ...numbers(20), ...numbers(20)])
})

test('relays killed at any instruction lose nothing and keep the order of each aggregate', async () => {
  const subjects = [someSubject(), someSubject()]
  const { kafkaBrokers } = testServers()
  const start = () =>
    spawn(process.execPath, [fileURLToPath(import.meta.resolve('@tapeline/testing/kafka/relay-to-kill'))], {
      env: {
        ...process.env,
        DATABASE_URL: database.url,
        KAFKA_BROKERS: kafkaBrokers,
        KAFKA_TOPIC_PREFIX: topics.prefix,
      },
      stdio: ['pipe', 'ignore', 'inherit'],
    })
  const writing = (async () => {
    for (const n of numbers(400)) await save(subjects[Number(n) % 2] ?? '', n)
  })()
  for (let kills = 0; kills < 6; kills += 1) {
    const child = start()
    await delay(250 + Math.random() * 500)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await writing
  relay()
  await waitUntil('the outbox is empty', async () => (await unsent()) === 0)
  for (const [at, subject] of subjects.entries()) {
    const expected = numbers(400).filter((n) => Number(n) % 2 === at)
    await waitUntil('all are received', () => new Set(received.get(subject)).size === expected.length)
    expect([...new Set(received.get(subject))]).toEqual(expected)
  }
})
