import { createProducer } from '@tapeline/events/kafka'
import { newEvent } from '@tapeline/contracts/event'
import { statusChanged } from '@tapeline/contracts/identity/events'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDeps, makeKey } from '../test/deps.fixture.ts'
import { getKey } from './keys/get-key.ts'
import { migrations } from './migrations/all.ts'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { startListening } from './start-listening.ts'
import type { Tables } from './tables.ts'

const RECEIVED_WITHIN_MS = 60_000
const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
const topics = await openTestTopics(['identity', 'usage', 'api-key'])
const producer = createProducer(topics.kafka)
const deps = testDeps(db, redis)
const events = { kafka: topics.kafka, topicPrefix: topics.prefix, log: silentLogger, now: deps.now }
const listening = startListening(deps, db.withTables(), events)
beforeAll(() => producer.connect())
afterAll(async () => {
  await listening.stop()
  await producer.disconnect()
  await topics.drop()
  redis.disconnect()
  await drop()
})

const send = (topic: string, key: string, ...values: string[]) =>
  producer.send({ topic: topics.prefix + topic, acks: -1, messages: values.map((value) => ({ key, value })) })

test(
  'uses and deleted accounts are processed, and an invalid message stops neither consumer',
  { timeout: 240_000 },
  async () => {
    const actor = someUser()
    const { id, kid } = await makeKey(deps, actor, { name: 'ci' })
    const use = usageEvent({ account_id: actor.userId, key_id: id, kid, at: deps.now() })
    await send('usage', actor.userId, 'not JSON', '{}', JSON.stringify(use))
    const lastUse = async () => (await getKey(deps, actor, id)).key.last_used_at
    expect(await waitUntil('the use is applied', lastUse, RECEIVED_WITHIN_MS)).toBe(use.time)
    const data = {
      user_id: actor.userId,
      before: { status: 'active' },
      after: { status: 'inactive' },
      version: 2,
    } as const
    const stopped = newEvent(statusChanged, {
      id: deps.newId(),
      time: deps.now(),
      subject: actor.userId,
      account: actor.userId,
      actor: { kind: 'service', service: 'identity' },
      data,
    })
    await send('identity', actor.userId, JSON.stringify(stopped))
    const isInactive = async () => (await getKey(deps, actor, id)).key.status === 'inactive'
    await waitUntil('the account is applied', isInactive, RECEIVED_WITHIN_MS)
    const isSent = async () => (await db.selectFrom('outbox').select('position').execute()).length === 0
    await waitUntil('all is announced', isSent, RECEIVED_WITHIN_MS)
    expect(await db.selectFrom('dead_letter').selectAll().execute()).toEqual([])
  },
)
