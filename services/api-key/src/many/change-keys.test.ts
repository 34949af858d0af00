import type { UserActor } from '@tapeline/contracts/actor'
import type { BulkChange } from '@tapeline/contracts/api-key/bulk'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { changeKeys } from './change-keys.ts'
import { testDeps, kidOf, makeKey } from '../../test/deps.fixture.ts'
import { getKey } from '../keys/get-key.ts'
import { listKeys } from '../keys/list-keys.ts'
import { migrations } from '../migrations/all.ts'
import { readKeyRecord } from '../keys/read-key-record.ts'
import type { Tables } from '../tables.ts'
import { updateKey } from '../keys/update-key.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const clock = { nowMs: Date.now() }
const deps = testDeps(db, redis, clock)

/** Two keys tagged `old`, and one without the tag. */
async function threeKeys(actor = someUser()) {
  const old = [
    await makeKey(deps, actor, { name: 'a', tags: ['old'] }),
    await makeKey(deps, actor, { name: 'b', tags: ['old', 'prod'] }),
  ]
  return { actor, old, other: await makeKey(deps, actor, { name: 'c', tags: ['prod'] }) }
}

async function change(actor: UserActor, body: Omit<BulkChange, 'preview'>) {
  const { preview } = await changeKeys(deps, actor, body)
  return changeKeys(deps, actor, { ...body, preview })
}

/** A key whose changes PostgreSQL rejects. */
async function brokenKey(actor: UserActor) {
  await makeKey(deps, actor, { name: 'broken', tags: ['old'] })
  await sql`create or replace function reject_change() returns trigger language plpgsql as
    $$ begin raise exception 'no space left on device' using errcode = 'data_corrupted'; end $$`.execute(db)
  await sql`create or replace trigger reject_change before update on api_key for each row
    when (new.name = 'broken') execute function reject_change()`.execute(db)
}
const stateOf = async ({ kid }: { kid: string }) => (await readKeyRecord(deps, kid)).state

test('a preview lists the keys and changes nothing; the change then reaches these keys alone', async () => {
  const { actor, old, other } = await threeKeys()
  const body = { tag: 'old', action: 'revoke' as const }
  const preview = await changeKeys(deps, actor, body)
  expect(preview).toMatchObject({ is_preview: true, keys: [{ key: { name: 'b' } }, { key: { name: 'a' } }] })
  expect(await Promise.all([...old, other].map(stateOf))).toEqual(['active', 'active', 'active'])
  const changed = await changeKeys(deps, actor, { ...body, preview: preview.preview })
  expect(changed.keys.map(({ key, undo }) => [key.status, undo])).toEqual([
    ['revoked', undefined],
    ['revoked', undefined],
  ])
  expect(await Promise.all([...old, other].map(stateOf))).toEqual(['revoked', 'revoked', 'active'])
})

test('a change is rejected if other keys, or another change, were previewed', async () => {
  const { actor, old } = await threeKeys()
  const body = { tag: 'prod', action: 'deactivate' as const }
  const { preview } = await changeKeys(deps, actor, body)
  const refused = { code: 'api_key.selection_changed', status: 409 }
  await expect(changeKeys(deps, actor, { ...body, action: 'revoke', preview })).rejects.toMatchObject(refused)
  await updateKey(deps, actor, old[0]?.id ?? '', { tags: ['prod'] })
  await expect(changeKeys(deps, actor, { ...body, preview })).rejects.toMatchObject(refused)
  expect(await Promise.all(old.map(stateOf))).toEqual(['active', 'active'])
})

test('a rotation answers each new secret once, and the grace keeps the old ones', async () => {
  const { actor, old } = await threeKeys()
  const { keys } = await change(actor, { tag: 'old', action: 'rotate', grace_seconds: 60 })
  expect(keys.map(({ apiKey }) => apiKey?.slice(0, 8))).toEqual(['tl_live_', 'tl_live_'])
  for (const { apiKey } of keys) expect(await stateOf({ kid: kidOf(apiKey ?? '') })).toBe('active')
  expect(await Promise.all(old.map(stateOf))).toEqual(['active', 'active'])
})

test('a rotation that is repeated because its answer was lost keeps the secrets in use', async () => {
  const { actor, old } = await threeKeys()
  const body = { tag: 'old', action: 'rotate' as const, grace_seconds: 60 as const }
  const { keys: lost } = await change(actor, body)
  const { keys } = await change(actor, body)
  const statesOf = (answered: typeof keys) =>
    Promise.all(answered.map(({ apiKey }) => stateOf({ kid: kidOf(apiKey ?? '') })))
  expect(await Promise.all(old.map(stateOf))).toEqual(['active', 'active'])
  expect([await statesOf(lost), await statesOf(keys)]).toEqual([
    ['revoked', 'revoked'],
    ['active', 'active'],
  ])
})

test('a key that cannot be changed is reported; the new secrets of the others are answered', async () => {
  const { actor } = await threeKeys(someUser({ tier: 'basic' }))
  await brokenKey(actor)
  await makeKey(deps, actor, { name: 'last', tags: ['old'] })
  const errors: unknown[] = []
  const body = { tag: 'old', action: 'rotate' as const }
  const { preview } = await changeKeys(deps, actor, body)
  const { keys } = await changeKeys(deps, actor, { ...body, preview }, { onError: (error) => errors.push(error) })
  expect(keys.map(({ key, apiKey, failed }) => [key.name, apiKey?.slice(0, 8), failed])).toEqual([
    ['last', 'tl_live_', undefined],
    ['broken', undefined, 'service.failed'],
    ['b', 'tl_live_', undefined],
    ['a', 'tl_live_', undefined],
  ])
  expect(errors).toMatchObject([{ message: 'no space left on device' }])
})

test('versions are published concurrently, and after the time limit no further key is changed', async () => {
  const { actor, old } = await threeKeys()
  const body = { tag: 'old', action: 'rotate' as const }
  const { preview } = await changeKeys(deps, actor, body)
  let open = 0
  let openMax = 0
  const isPublished = Promise.withResolvers<boolean>()
  const slow = {
    ...deps,
    raiseVersion: () => {
      open += 1
      openMax = Math.max(openMax, open)
      if (open === old.length) isPublished.resolve(false)
      return isPublished.promise
    },
  }
  const { keys } = await changeKeys(slow, actor, { ...body, preview })
  expect(openMax).toBe(2)
  expect(keys.map(({ failed }) => failed)).toEqual([undefined, undefined])
  const again = await changeKeys(deps, actor, body)
  const stopped = await changeKeys(deps, actor, { ...body, preview: again.preview }, { timeLimitMs: 0 })
  expect(stopped.keys.map(({ apiKey, failed }) => [apiKey, failed])).toEqual([
    [undefined, 'api_key.not_attempted'],
    [undefined, 'api_key.not_attempted'],
  ])
  const kids = keys.map(({ apiKey }) => kidOf(apiKey ?? ''))
  expect(await Promise.all(kids.map((kid) => stateOf({ kid })))).toEqual(['active', 'active'])
})

test('without Redis the answer says when the changes take effect', async () => {
  const { actor } = await threeKeys()
  const body = { tag: 'old', action: 'revoke' as const }
  const { preview } = await changeKeys(deps, actor, body)
  const unreachable = connectRedis({ url: 'redis://127.0.0.1:1', logger: silentLogger, commandTimeoutMs: 100 })
  const changed = await changeKeys(testDeps(db, unreachable, clock), actor, { ...body, preview })
  unreachable.disconnect()
  expect(changed.keys.map(({ key }) => key.status)).toEqual(['revoked', 'revoked'])
  expect(changed.effective_within_seconds).toBe(5)
  const again = await change(actor, { tag: 'prod', action: 'deactivate' })
  expect(again).not.toHaveProperty('effective_within_seconds')
})

test.each([
  ['expire', { expires_at: '2100-01-01T00:00:00Z' }],
  ['deactivate', {}],
] as const)('the body in the answer undoes the change: %s', async (action, more) => {
  const { actor, old } = await threeKeys()
  const before = (await listKeys(deps, actor, { tag: 'old' })).apiKeys
  const { keys } = await change(actor, { tag: 'old', action, ...more })
  expect(keys).toHaveLength(old.length)
  for (const { key, undo } of keys) await updateKey(deps, actor, key.id, undo ?? {})
  expect((await listKeys(deps, actor, { tag: 'old' })).apiKeys).toEqual(before)
})

test('a tag selects nothing of another account, and an expiry needs a time in the future', async () => {
  const { old } = await threeKeys()
  const otherUser = someUser()
  expect((await change(otherUser, { tag: 'old', action: 'revoke' })).keys).toEqual([])
  expect(await Promise.all(old.map(stateOf))).toEqual(['active', 'active'])
  const without = changeKeys(deps, otherUser, { tag: 'old', action: 'expire' })
  await expect(without).rejects.toMatchObject({ errors: [{ field: '/expires_at' }] })
  const past = changeKeys(deps, otherUser, { tag: 'old', action: 'expire', expires_at: '2020-01-01' })
  await expect(past).rejects.toMatchObject({ code: 'api_key.expiry_in_past' })
})

test('keys are listed by tag, by external id, and by how long they have not been used', async () => {
  const { actor, old } = await threeKeys()
  const names = async (filter: Parameters<typeof listKeys>[2]) =>
    (await listKeys(deps, actor, filter)).apiKeys.map(({ name }) => name).toSorted()
  expect(await names({ tag: 'prod' })).toEqual(['b', 'c'])
  expect(await names({ external_id: 'none' })).toEqual([])
  expect(await names({ unused_days: 1 })).toEqual([])
  clock.nowMs += DAY_MS
  const [used] = old
  await db
    .insertInto('api_key_use')
    .values({ kid: used?.kid ?? '', key_id: used?.id ?? '', last_used_at: new Date(clock.nowMs) })
    .execute()
  expect(await names({ unused_days: 1 })).toEqual(['b', 'c'])
  expect(await names({ unused_days: 1, tag: 'old' })).toEqual(['b'])
  expect((await getKey(deps, actor, used?.id ?? '')).key.last_used_at).not.toBeNull()
})
