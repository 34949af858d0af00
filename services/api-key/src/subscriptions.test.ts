import type { Event } from '@tapeline/contracts/event'
import { newEvent } from '@tapeline/contracts/event'
import { statusChanged } from '@tapeline/contracts/identity/events'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { accountHashKey, keyVersionField } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { deleteKey } from './keys/delete-key.ts'
import { testDeps, kidOf, makeKey } from '../test/deps.fixture.ts'
import { getKey } from './keys/get-key.ts'
import { migrations } from './migrations/all.ts'
import { readKeyRecord } from './keys/read-key-record.ts'
import { NETWORKS_KEPT } from './usage/record-use.ts'
import { regenerateKey } from './keys/regenerate-key.ts'
import { revokeKey } from './keys/revoke-key.ts'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { accountSubscriptions, usageSubscriptions } from './subscriptions.ts'
import type { Tables } from './tables.ts'
import { updateKey } from './keys/update-key.ts'

const HOUR_MS = 60 * 60 * 1_000
const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const clock = { nowMs: Date.parse('2030-01-01T00:00:00Z') }
const deps = testDeps(db, redis, clock)
const after = (ms: number) => new Date(clock.nowMs + ms)

async function someKey() {
  const actor = someUser()
  return { actor, ...(await makeKey(deps, actor, { name: 'ci' })) }
}

function listEvents(keyId: string, type: string) {
  return db
    .selectFrom('outbox')
    .select(['envelope', 'version_field', 'version'])
    .where('subject', '=', keyId)
    .orderBy('position')
    .execute()
    .then((rows) => rows.filter(({ envelope }) => (envelope as { type: string }).type === type))
}

function deliver(status: 'active' | 'inactive', userId: string) {
  const event = newEvent(statusChanged, {
    id: deps.newId(),
    time: deps.now(),
    subject: userId,
    account: userId,
    actor: { kind: 'service', service: 'identity' },
    data: {
      user_id: userId,
      before: { status: status === 'active' ? 'inactive' : 'active' },
      after: { status },
      version: 2,
    },
  })
  return deliverTwice(db, accountSubscriptions(deps), event)
}

test('the keys of an inactive account are inactive, and work as before once it is active again', async () => {
  const { actor, id, kid } = await someKey()
  const own = await makeKey(deps, actor, { name: 'paused' })
  await updateKey(deps, actor, own.id, { is_active: false })
  const successor = kidOf((await regenerateKey(deps, actor, id, { grace_seconds: 3_600 })).apiKey)
  await deliver('inactive', actor.userId)
  expect((await getKey(deps, actor, id)).key).toMatchObject({ status: 'inactive', is_active: false })
  // Gateways check the account itself, which is active again before this event is processed.
  for (const each of [kid, successor]) {
    expect(await readKeyRecord(deps, each)).toMatchObject({ state: 'active', version: 2 })
  }
  const updates = await listEvents(id, 'api-key.updated.v1')
  expect(updates.map(({ version }) => version)).toEqual([null])
  expect(updates[0]?.envelope).toMatchObject({
    actorkind: 'service',
    data: { before: { owner_is_active: true }, after: { owner_is_active: false } },
  })
  await deliver('active', actor.userId)
  expect((await getKey(deps, actor, id)).key).toMatchObject({ status: 'active', is_active: true })
  expect((await getKey(deps, actor, own.id)).key).toMatchObject({ status: 'inactive' })
  expect(await readKeyRecord(deps, successor)).toMatchObject({ state: 'active', version: 2 })
})

test('deactivating an account leaves revoked keys and other accounts unchanged', async () => {
  const [mine, other] = [await someKey(), await someKey()]
  await revokeKey(deps, mine.actor, mine.id)
  await deliver('inactive', mine.actor.userId)
  expect(await readKeyRecord(deps, mine.kid)).toMatchObject({ state: 'revoked', version: 2 })
  expect(await readKeyRecord(deps, other.kid)).toMatchObject({ state: 'active', version: 1 })
})

type Use = {
  keyId: string
  kid: string | null
  at?: Date
  network?: string
  verdict?: 'admitted' | 'denied' | 'refused'
}

function use({ keyId, verdict = 'admitted', at = deps.now(), ...more }: Use): Event<UsageRequestServed> {
  const decision = { verdict, degraded: false, denied_by: [], retry_after_ms: 0, windows: [] }
  return usageEvent({ key_id: keyId, decision, at, ...more })
}

/** Applies a batch twice. */
async function deliverUses(...uses: Use[]): Promise<void> {
  const events = uses.map(use)
  for (let time = 0; time < 2; time += 1) {
    await db.transaction().execute(async (trx) => {
      for (const { apply } of usageSubscriptions(deps)) await apply(trx, events)
    })
  }
}

test('the last use of a key is its newest request, regardless of the order of events', async () => {
  const { actor, id, kid } = await someKey()
  const [first, second, third] = [after(-3_000), after(-2_000), after(-1_000)]
  const lastUse = async () => (await getKey(deps, actor, id)).key.last_used_at
  expect(await lastUse()).toBeNull()
  await deliverUses({ keyId: id, kid, at: second }, { keyId: id, kid, at: first })
  expect(await lastUse()).toBe(second.toISOString())
  await deliverUses({ keyId: id, kid, at: first })
  expect(await lastUse()).toBe(second.toISOString())
  await deliverUses({ keyId: id, kid, at: third, verdict: 'denied' })
  expect(await lastUse()).toBe(third.toISOString())
  expect(await readKeyRecord(deps, kid)).toMatchObject({ version: 1 })
})

test('requests of sessions, unknown keys, rejected requests and times in the future are not recorded as uses', async () => {
  const { actor, id, kid } = await someKey()
  const other = await someKey()
  await deleteKey(deps, other.actor, other.id)
  await deliverUses(
    { keyId: 'session', kid: null },
    { keyId: id, kid: 'unknownunkno' },
    { keyId: crypto.randomUUID(), kid },
    { keyId: other.id, kid: other.kid },
    { keyId: id, kid, verdict: 'refused' },
  )
  expect((await getKey(deps, actor, id)).key.last_used_at).toBeNull()
  await deliverUses({ keyId: id, kid, at: after(100 * HOUR_MS) })
  expect((await getKey(deps, actor, id)).key.last_used_at).toBe(deps.now().toISOString())
})

test("during a grace the use of the old secret is recorded separately; the key's last use is the later of both", async () => {
  const { actor, id, kid } = await someKey()
  await deliverUses({ keyId: id, kid, at: after(-5_000) })
  const { key, apiKey } = await regenerateKey(deps, actor, id, { grace_seconds: 3_600 })
  expect(key).toMatchObject({ last_used_at: after(-5_000).toISOString() })
  expect(key.grace).toMatchObject({ last_used_at: after(-5_000).toISOString() })
  await deliverUses({ keyId: id, kid: kidOf(apiKey), at: after(-1_000) }, { keyId: id, kid, at: after(-2_000) })
  expect((await getKey(deps, actor, id)).key).toMatchObject({
    last_used_at: after(-1_000).toISOString(),
    grace: { last_used_at: after(-2_000).toISOString() },
  })
})

const news = async (keyId: string) =>
  (await listEvents(keyId, 'api-key.used-from-new-network.v1')).map(
    ({ envelope }) => (envelope as { data: { network: string } }).data.network,
  )

test('a network is reported once, and never a key’s first one', async () => {
  const { id, kid } = await someKey()
  const from = (network: string, ms = 0) => ({ keyId: id, kid, network, at: after(ms) })
  await deliverUses(from('192.0.2.0/24'), from('192.0.2.0/24'))
  expect(await news(id)).toEqual([])
  await deliverUses(from('198.51.100.0/24'), from('192.0.2.0/24'), from('2001:db8:1::/48', -1))
  expect(await news(id)).toEqual(['2001:db8:1::/48', '198.51.100.0/24'])
  const other = await someKey()
  await deliverUses(
    { keyId: other.id, kid: other.kid, network: 'b', at: after(-1) },
    { keyId: other.id, kid: other.kid, network: 'a', at: after(-2) },
  )
  expect(await news(other.id)).toEqual(['b'])
})

test('the list of networks of a key is bounded, and beyond the bound none is reported', async () => {
  const { id, kid } = await someKey()
  const many = Array.from({ length: NETWORKS_KEPT + 20 }, (_, n) => ({
    keyId: id,
    kid,
    network: `10.0.${n}.0/24`,
    at: after(n * 2 * HOUR_MS - 1_000 * HOUR_MS),
  }))
  await deliverUses(...many)
  expect(await news(id)).toHaveLength(NETWORKS_KEPT - 1)
  const networks = await db.selectFrom('api_key_network').select('network').where('key_id', '=', id).execute()
  expect(networks).toHaveLength(NETWORKS_KEPT)
  expect(networks).not.toContainEqual({ network: '10.0.0.0/24' })
  await deliverUses({ keyId: id, kid, network: '203.0.113.0/24' })
  expect(await news(id)).toHaveLength(NETWORKS_KEPT - 1)
})

test('recording a use leaves the version that gateways compare unchanged', async () => {
  const { actor, id, kid } = await someKey()
  await deliverUses({ keyId: id, kid })
  expect(await redis.hget(accountHashKey(actor.userId), keyVersionField(kid))).toBe('1')
})
