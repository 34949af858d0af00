import { notificationRaised } from '@tapeline/contracts/audit/events'
import { newEvent } from '@tapeline/contracts/event'
import { createKafka, createProducer } from '@tapeline/events/kafka'
import { startFaultProxy } from '@tapeline/testing/fault-proxy'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { testIdentity } from '../test/identity.fixture.ts'
import { USED_UP } from '../test/notices.fixture.ts'
import { startListening } from './start-listening.ts'

const RECEIVED_WITHIN_MS = 150_000
const { db, deps, newPerson, close } = await testIdentity()
const topics = await openTestTopics(['identity', 'audit', 'config'])
const producer = createProducer(topics.kafka)
await producer.connect()
const [broker = ''] = testServers().kafkaBrokers.split(',')
const kafkaProxy = await startFaultProxy(`tcp://${broker}`)
kafkaProxy.setFault('refuse')
const kafka = createKafka({ brokers: `127.0.0.1:${kafkaProxy.port}`, clientId: 'identity', log: silentLogger })
const events = { kafka, topicPrefix: topics.prefix, log: silentLogger, now: deps.now }
const listening = startListening(deps, db.withTables(), events)
afterAll(async () => {
  await listening.stop()
  await kafkaProxy.stop()
  await producer.disconnect()
  await topics.drop()
  await close()
})

function raised(userId: string, title: string) {
  const about = { id: deps.newId(), time: deps.now(), subject: userId, account: userId }
  const data = { notification_id: deps.newId(), account_id: userId, title, text: 'up', ...USED_UP }
  return newEvent(notificationRaised, { ...about, actor: { kind: 'service', service: 'audit' }, data })
}
const titlesOf = async (userId: string) => {
  const rows = await db
    .selectFrom('notice')
    .select('title')
    .where('user_id', '=', userId)
    .orderBy('raised_at')
    .orderBy('title')
    .execute()
  return rows.map(({ title }) => title)
}

test(
  'events published while Kafka is unavailable are delivered once later, and an invalid message does not block others',
  { timeout: 320_000 },
  async () => {
    const { actor } = await newPerson()
    const [first, second] = [raised(actor.userId, 'first'), raised(actor.userId, 'second')]
    const send = (...values: unknown[]) =>
      producer.send({
        topic: `${topics.prefix}audit`,
        acks: -1,
        messages: values.map((value) => ({ key: actor.userId, value: JSON.stringify(value) })),
      })
    await send(
      first,
      { ...first, data: { ...first.data, account_id: 'no-uuid' } },
      'not an event',
      first,
      second,
      first,
    )
    expect(await titlesOf(actor.userId)).toEqual([])
    kafkaProxy.setFault('pass')
    const isReceived = async () => (await titlesOf(actor.userId)).length === 2
    await waitUntil('both are received', isReceived, RECEIVED_WITHIN_MS)
    expect(await titlesOf(actor.userId)).toEqual(['first', 'second'])
    const letters = await db.selectFrom('dead_letter').select('reason').orderBy('message_offset').execute()
    expect(letters.map(({ reason }) => reason)).toEqual(['account_id is not a UUID', 'not a CloudEvents envelope'])
    const isAnnounced = async () => (await db.selectFrom('outbox').select('position').execute()).length === 0
    await waitUntil('what waited in the outbox is announced', isAnnounced, RECEIVED_WITHIN_MS)
  },
)
