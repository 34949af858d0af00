import { newEvent } from '@tapeline/contracts/event'
import { accountDeleted, accountDeletionRequested } from '@tapeline/contracts/identity/events'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { storeDeadLetter, storedDeadLetters } from '@tapeline/testing/kafka/stored-dead-letters'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { createKeyOnce } from '../idempotency/create-key-once.ts'
import { testDeps, makeKey } from '../../test/deps.fixture.ts'
import { getKey } from '../keys/get-key.ts'
import { listKeys } from '../keys/list-keys.ts'
import { migrations } from '../migrations/all.ts'
import { readKeyRecord } from '../keys/read-key-record.ts'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { accountSubscriptions, usageSubscriptions } from '../subscriptions.ts'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const clock = { nowMs: Date.parse('2030-01-01T00:00:00Z') }
const deps = testDeps(db, redis, clock)
const identity = { kind: 'service', service: 'identity' } as const
const about = (userId: string) => ({
  id: deps.newId(),
  time: deps.now(),
  subject: userId,
  account: userId,
  actor: identity,
})
const deletionRequested = (userId: string) =>
  newEvent(accountDeletionRequested, { ...about(userId), data: { user_id: userId, due_at: '2030-01-08T00:00:00Z' } })
const accountDeletedEvent = (userId: string) =>
  newEvent(accountDeleted, { ...about(userId), data: { user_id: userId, version: 3 } })

async function revocationsOf(keyId: string) {
  const rows = await db
    .selectFrom('outbox')
    .select(['envelope', 'version_field', 'version'])
    .where('subject', '=', keyId)
    .orderBy('position')
    .execute()
  return rows
    .filter(({ envelope }) => (envelope as { type: string }).type === 'api-key.revoked.v1')
    .map(({ version_field, version }) => ({ version_field, version }))
}

test("a deletion request revokes all keys of the account once, and no other account's", async () => {
  const [actor, other] = [someUser(), someUser()]
  const keys = [await makeKey(deps, actor, { name: 'one' }), await makeKey(deps, actor, { name: 'two' })]
  const foreign = await makeKey(deps, other, { name: 'theirs' })
  await deliverTwice(db, accountSubscriptions(deps), deletionRequested(actor.userId))
  for (const { id, kid } of keys) {
    expect((await getKey(deps, actor, id)).key.status).toBe('revoked')
    expect(await readKeyRecord(deps, kid)).toMatchObject({ state: 'revoked', version: 2 })
    expect(await revocationsOf(id)).toEqual([{ version_field: `k:${kid}`, version: '2' }])
  }
  expect((await getKey(deps, other, foreign.id)).key.status).toBe('active')
})

test('a key created after the owner returned is not revoked by a late event', async () => {
  const actor = someUser()
  const late = deletionRequested(actor.userId)
  clock.nowMs += 60_000
  const { id } = await makeKey(deps, actor, { name: 'new' })
  await deliverTwice(db, accountSubscriptions(deps), late)
  expect((await getKey(deps, actor, id)).key.status).toBe('active')
})

test('after an account is deleted its keys contain no personal data, and gateways keep rejecting them', async () => {
  const actor = someUser()
  const fields = { description: 'Unforgettable', networks: ['203.0.113.0/24'] }
  const { id, kid } = await makeKey(deps, actor, { name: 'Unforgettable', ...fields })
  await createKeyOnce(deps, actor, { idempotencyKey: 'Unforgettable-1', input: { name: 'Unforgettable' } })
  await deliverTwice(
    db,
    usageSubscriptions(deps),
    usageEvent({ account_id: actor.userId, key_id: id, kid, network: '198.51.100.0/24', at: deps.now() }),
  )
  expect(await db.selectFrom('api_key_network').selectAll().execute()).toHaveLength(1)
  await deliverTwice(db, accountSubscriptions(deps), deletionRequested(actor.userId))
  await deliverTwice(db, accountSubscriptions(deps), accountDeletedEvent(actor.userId))
  const remaining = {
    keys: await db.selectFrom('api_key').selectAll().where('user_id', '=', actor.userId).execute(),
    uses: await db.selectFrom('api_key_use').selectAll().execute(),
    networks: await db.selectFrom('api_key_network').selectAll().execute(),
    answers: await db.selectFrom('idempotent_creation').selectAll().execute(),
  }
  expect(JSON.stringify(remaining)).not.toMatch(/Unforgettable|203\.0\.113|198\.51\.100/)
  expect(await listKeys(deps, actor)).toEqual({ apiKeys: [] })
  expect(await readKeyRecord(deps, kid)).toMatchObject({ state: 'deleted' })
})

test("dead letters of a deleted account are deleted, and no other account's", async () => {
  const [deleted, other] = [deletionRequested(deps.newId()), deletionRequested(deps.newId())]
  await storeDeadLetter(db, deleted)
  await storeDeadLetter(db, other)
  await deliverTwice(db, accountSubscriptions(deps), accountDeletedEvent(deleted.subject))
  expect(await storedDeadLetters(db)).toEqual([JSON.stringify(other)])
})
