import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { ANSWERS_KEPT_MS, createKeyOnce } from './create-key-once.ts'
import { deleteKey } from '../keys/delete-key.ts'
import { testDeps } from '../../test/deps.fixture.ts'
import { deleteOldAnswers } from './delete-old-answers.ts'
import { tryLockIdempotencyKey } from './idempotency-queries.ts'
import { listKeys } from '../keys/list-keys.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const clock = { nowMs: Date.now() }
const deps = testDeps(db, redis, clock)
const attempt = (name: string, more = {}) => ({ idempotencyKey: 'one', input: { name, ...more } })
const countAnswers = async (userId: string) =>
  (await db.selectFrom('idempotent_creation').select('user_id').where('user_id', '=', userId).execute()).length

test('a repeated creation makes no second key and returns the first response without its secret', async () => {
  const actor = someUser()
  const first = await createKeyOnce(deps, actor, attempt('ci', { expires_at: '2100-01-01', description: null }))
  const again = await createKeyOnce(deps, actor, attempt('ci', { description: null, expires_at: '2100-01-01' }))
  if (!('created' in first)) throw new Error('it was not created')
  const { name, key, apiKey } = first.created
  expect(again).toEqual({ createdBefore: { name, key } })
  expect((await listKeys(deps, actor)).apiKeys).toEqual([key])
  const rows = JSON.stringify(await db.selectFrom('idempotent_creation').selectAll().execute())
  expect(rows).not.toContain(apiKey.split('_')[3])
})

test('a response stored before secrets had their own last use is still returned, with the secret as unused', async () => {
  const actor = someUser()
  const first = await createKeyOnce(deps, actor, attempt('ci'))
  if (!('created' in first)) throw new Error('it was not created')
  await sql`
    update idempotent_creation set answer = answer #- '{key,secret_last_used_at}'
    where user_id = ${actor.userId}`.execute(db)
  const { name, key } = first.created
  expect(await createKeyOnce(deps, actor, attempt('ci'))).toEqual({ createdBefore: { name, key } })
})

test.each([
  attempt('other'),
  attempt('ci', { description: '' }),
  attempt('ci', { rate_limits: { burstLimit: 1 } }),
  attempt('ci', { environment: 'test' }),
])('with the body %j it is another request', async (other) => {
  const actor = someUser()
  await createKeyOnce(deps, actor, attempt('ci'))
  const reused = createKeyOnce(deps, actor, other)
  await expect(reused).rejects.toMatchObject({ code: 'idempotency_key.reused', status: 422 })
  expect((await listKeys(deps, actor)).apiKeys).toHaveLength(1)
})

test('the same Idempotency-Key of two accounts creates two keys', async () => {
  const answers = await Promise.all([someUser(), someUser()].map((actor) => createKeyOnce(deps, actor, attempt('ci'))))
  expect(answers.every((answer) => 'created' in answer)).toBe(true)
})

test('while the first request is in progress the second is rejected with Retry-After', async () => {
  const actor = someUser()
  const inFlight = db.transaction().execute(async (trx) => {
    await tryLockIdempotencyKey(trx, { userId: actor.userId, idempotencyKey: 'one' })
    await expect(createKeyOnce(deps, actor, attempt('ci'))).rejects.toMatchObject({
      code: 'idempotency_key.in_flight',
      status: 409,
      headers: { 'retry-after': '1' },
    })
    throw new Error('the process died')
  })
  await expect(inFlight).rejects.toThrow('the process died')
  expect(await createKeyOnce(deps, actor, attempt('ci'))).toHaveProperty('created')
})

test('of many concurrent requests one creates the key; the others return it or are rejected with Retry-After', async () => {
  const actor = someUser()
  const tries = await Promise.allSettled(Array.from({ length: 6 }, () => createKeyOnce(deps, actor, attempt('ci'))))
  const created = tries.filter((one) => one.status === 'fulfilled' && 'created' in one.value)
  expect(created).toHaveLength(1)
  const codes = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  expect(codes.every((code) => code === 'idempotency_key.in_flight')).toBe(true)
  expect((await listKeys(deps, actor)).apiKeys).toHaveLength(1)
})

test('a failed creation stores nothing and can be repeated', async () => {
  const actor = someUser()
  const keys = await Promise.all(
    ['a', 'b', 'c'].map((name) => createKeyOnce(deps, actor, { idempotencyKey: name, input: { name } })),
  )
  await expect(createKeyOnce(deps, actor, attempt('ci'))).rejects.toMatchObject({ code: 'api_key.limit_reached' })
  expect(await countAnswers(actor.userId)).toBe(3)
  const [first] = keys
  if (first === undefined || !('created' in first)) throw new Error('it was not created')
  await deleteKey(deps, actor, first.created.key.id)
  expect(await createKeyOnce(deps, actor, attempt('ci'))).toHaveProperty('created')
})

test('after a day the Idempotency-Key can be used again, whether the job has run or not', async () => {
  const actor = someUser()
  await createKeyOnce(deps, actor, attempt('ci'))
  clock.nowMs += ANSWERS_KEPT_MS - 1
  expect(await createKeyOnce(deps, actor, attempt('ci'))).toHaveProperty('createdBefore')
  await deleteOldAnswers(deps)
  expect(await countAnswers(actor.userId)).toBe(1)
  clock.nowMs += 1
  expect(await createKeyOnce(deps, actor, attempt('other'))).toHaveProperty('created')
  clock.nowMs += ANSWERS_KEPT_MS
  await deleteOldAnswers(deps)
  expect(await countAnswers(actor.userId)).toBe(0)
})
