import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import { notificationRaised } from '@tapeline/contracts/audit/events'
import { type Event, newEvent } from '@tapeline/contracts/event'
import { createProducer } from '@tapeline/events/kafka'
import { startBroadcastConsumer } from '@tapeline/events/broadcast-consumer'
import { routeEvents } from '@tapeline/events/route-events'
import { connectDatabase } from '@tapeline/database/connect'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { testIds } from '../../test/ids.fixture.ts'
import { migrations } from '../migrations/all.ts'
import { startConsumers } from './start-consumers.ts'
import type { Tables } from '../tables.ts'
import { verifyTrail } from '../trail/verify-trail.ts'

const WITHIN_MS = 60_000
const database = await openTestDatabase<Tables>(migrations)
const { db, pool } = database
const { kafka, prefix, drop } = await openTestTopics(['usage', 'identity', 'api-key', 'config', 'audit', 'market-data'])
const producer = createProducer(kafka)
await producer.connect()
const consumers = startConsumers({
  deps: { db, now: () => new Date(), ...testIds, retention: { rowDays: 90 }, settings: fixedSettings() },
  outbox: connectDatabase(pool),
  kafka,
  topicPrefix: prefix,
  log: silentLogger,
})
const raised: Event<unknown>[] = []
const receiving = Promise.withResolvers<void>()
const notifications = startBroadcastConsumer({
  kafka,
  name: `${prefix}notifications`,
  log: silentLogger,
  onReceiving: receiving.resolve,
  ...routeEvents([{ definition: notificationRaised, handle: (event) => void raised.push(event) }], prefix),
})
await receiving.promise
afterAll(async () => {
  await notifications.stop()
  await consumers.stop()
  await producer.disconnect()
  await drop()
  await database.drop()
})

test('an event delivered three times is one entry and one notification; an invalid message does not block the others', async () => {
  const actor = someUser()
  const key = { key_id: 'key-1', kid: 'k1', account_id: actor.userId, name: 'ci', version: 1 }
  const created = () =>
    newEvent(apiKeyCreated, {
      id: testIds.newId(),
      time: new Date(),
      subject: 'key-1',
      account: actor.userId,
      actor,
      data: key,
    })
  const [first, second] = [created(), created()]
  const texts = [first, first, { ...first, id: 'seven' }, 'not JSON', first, second]
  const messages = texts.map((value) => ({
    key: 'key-1',
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  await producer.send({ topic: `${prefix}api-key`, acks: -1, messages })
  await waitUntil('both are announced', () => raised.length >= 2, WITHIN_MS)
  expect(raised).toMatchObject([1, 2].map(() => ({ account: actor.userId, data: { kind: 'key_created' } })))
  expect(await verifyTrail(db, actor.userId)).toMatchObject({ isRight: true, entries: 2 })
  const letters = await db.selectFrom('dead_letter').select('reason').orderBy('message_offset').execute()
  expect(letters.map(({ reason }) => reason)).toEqual(['id is not a UUID', 'not JSON'])
  expect(await db.selectFrom('notification').select('id').execute()).toHaveLength(2)
})
