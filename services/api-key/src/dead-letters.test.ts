import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newEvent } from '@tapeline/contracts/event'
import { statusChanged } from '@tapeline/contracts/identity/events'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { makeKey, testDeps } from '../test/deps.fixture.ts'
import { getKey } from './keys/get-key.ts'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

const { db, url, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
const deps = testDeps(db, redis)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

test('a replayed dead letter of a deactivated account disables its keys', async () => {
  const actor = someUser()
  const { id } = await makeKey(deps, actor, { name: 'ci' })
  const event = newEvent(statusChanged, {
    id: deps.newId(),
    time: deps.now(),
    subject: actor.userId,
    account: actor.userId,
    actor: { kind: 'service', service: 'identity' },
    data: { user_id: actor.userId, before: { status: 'active' }, after: { status: 'inactive' }, version: 2 },
  })
  const payload = Buffer.from(JSON.stringify(event)).toString('base64')
  const place = { topic: 'identity', partition: 0, message_offset: '7' }
  await db
    .insertInto('dead_letter')
    .values({ ...place, reason: 'no such column', payload, created_at: deps.now() })
    .execute()
  const env = { ...process.env, DATABASE_URL: url }
  const command = [join(import.meta.dirname, 'dead-letters.ts'), 'replay']
  const { stdout } = await promisify(execFile)(process.execPath, command, { env })
  expect(JSON.parse(stdout)).toEqual({ restored: 1, left: 0 })
  expect((await getKey(deps, actor, id)).key.status).toBe('inactive')
})
