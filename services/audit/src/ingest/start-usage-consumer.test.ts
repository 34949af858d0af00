import { createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { createProducer } from '@tapeline/events/kafka'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testIds } from '../../test/ids.fixture.ts'
import { migrations } from '../migrations/all.ts'
import { readAsOf } from '../reports/read-as-of.ts'
import { streamEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import { startUsageConsumer } from './start-usage-consumer.ts'
import type { Tables } from '../tables.ts'
import { verifyUsage } from '../reconciliation/verify-usage.ts'

const database = await openTestDatabase<Tables>(migrations)
const { db } = database
const { kafka, prefix, drop } = await openTestTopics(['usage'])
const producer = createProducer(kafka)
const cutter = createPool({ url: database.url, connectionsMax: 1, applicationName: 'cutter', ...LONG_TIMEOUTS })
const deps = { db, now: () => new Date(), ...testIds, retention: { rowDays: 90 }, settings: fixedSettings() }
const start = () => startUsageConsumer({ deps, kafka, topicPrefix: prefix, log: silentLogger })
let consumer = start()
beforeAll(() => producer.connect())
afterAll(async () => {
  await consumer.stop()
  await producer.disconnect()
  await cutter.end()
  await drop()
  await database.drop()
})

type Sent = { key: string; value: string }
const messageOf = (event: ReturnType<typeof usageEvent> | ReturnType<typeof streamEvent>): Sent => ({
  key: event.subject,
  value: JSON.stringify(event),
})
const send = (messages: Sent[]) => producer.send({ topic: `${prefix}usage`, acks: -1, messages })
const rowsOf = async (accountId: string) => (await verifyUsage(db, accountId)).rows

test('usage events are counted, and reports then cover their time', async () => {
  const accountId = crypto.randomUUID()
  const events = Array.from({ length: 200 }, () => usageEvent({ account_id: accountId }))
  await send(events.map(messageOf))
  const sentAt = new Date()
  await waitUntil('all are counted', async () => (await rowsOf(accountId)) === 200)
  await waitUntil('the consumer reports it', async () => (await readAsOf(deps, new Date(0))) >= sentAt)
  expect(await verifyUsage(db, accountId)).toMatchObject({ isRight: true, rows: 200 })
})

test('usage of streams is counted once beside that of requests, and an impossible one is dead-lettered', async () => {
  const accountId = crypto.randomUUID()
  const events = Array.from({ length: 20 }, () => streamEvent({ account_id: accountId }))
  const impossible = streamEvent({ account_id: accountId, at: new Date(0) })
  await send([...events, impossible, ...events.slice(0, 5), usageEvent({ account_id: accountId })].map(messageOf))
  await waitUntil('all are applied', async () => (await rowsOf(accountId)) === 1)
  const streams = await db.selectFrom('usage_stream').select('id').where('account_id', '=', accountId).execute()
  expect(streams).toHaveLength(20)
  const letters = await db.selectFrom('dead_letter').select('reason').execute()
  expect(letters).toEqual([{ reason: 'time is before the days that are kept' }])
  await db.deleteFrom('dead_letter').execute()
  expect(await verifyUsage(db, accountId)).toMatchObject({ isRight: true, streams: [] })
})

test('one invalid message in a hundred is dead-lettered, and every other one is counted', async () => {
  const accountId = crypto.randomUUID()
  const good = Array.from({ length: 1_089 }, () => messageOf(usageEvent({ account_id: accountId })))
  const own = usageEvent({ account_id: accountId })
  const poison = [
    'not JSON',
    '{}',
    JSON.stringify({ ...own, type: 'usage.request-served.v9' }),
    JSON.stringify({ ...own, id: 'seven' }),
    JSON.stringify({ ...own, time: 'yesterday' }),
    JSON.stringify({ ...own, time: '1970-01-01T00:00:00Z' }),
    JSON.stringify({ ...own, time: '2999-01-01T00:00:00Z' }),
    JSON.stringify({ ...own, data: { ...own.data, status: 'ok' } }),
    JSON.stringify({ ...own, data: { ...own.data, account_id: 'me' } }),
    JSON.stringify({ ...own, data: { ...own.data, account_id: accountId.toUpperCase() } }),
    JSON.stringify({ ...own, data: { ...own.data, route: 'a\0b' } }),
  ].map((value) => ({ key: accountId, value }))
  const mixed = good.flatMap((message, n) => (n % 99 === 0 ? [message, ...poison.splice(0, 1)] : [message]))
  await send(mixed)
  await waitUntil('all valid ones are counted', async () => (await rowsOf(accountId)) === 1_089)
  const letters = await waitUntil('all invalid events are dead-lettered', async () => {
    const rows = await db.selectFrom('dead_letter').selectAll().execute()
    return rows.length === 11 ? rows : undefined
  })
  expect(letters.map(({ reason }) => reason).toSorted()).toMatchInlineSnapshot(`
    [
      "data/account_id is not a UUID",
      "data/account_id is not in lower case",
      "data/status must be integer",
      "id is not a UUID",
      "invalid byte sequence for encoding "UTF8": 0x00",
      "not JSON",
      "not a CloudEvents envelope",
      "time is before the days that are kept",
      "time is more than a day ahead",
      "time is not a time",
      "unknown type usage.request-served.v9",
    ]
  `)
  expect(await verifyUsage(db, accountId)).toMatchObject({ isRight: true, rows: 1_089 })
})

test('a consumer whose connections break repeatedly counts every event once', async () => {
  const accountId = crypto.randomUUID()
  for (let round = 0; round < 10; round += 1) {
    const events = Array.from({ length: 100 }, () => usageEvent({ account_id: accountId }))
    await send([...events, ...events.slice(0, 10)].map(messageOf))
    await cutter.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tapeline-test'
      and datname = current_database()`)
    if (round % 4 === 3) {
      await consumer.stop()
      consumer = start()
    }
  }
  await waitUntil('all are counted', async () => (await rowsOf(accountId)) === 1_000)
  expect(await verifyUsage(db, null)).toMatchObject({ isRight: true, repeatedIds: 0 })
})
