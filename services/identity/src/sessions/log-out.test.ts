import type { UserActor } from '@tapeline/contracts/actor'
import { accountHashKey } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { testDeps, someSignUp } from '../../test/deps.fixture.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { getAccountRecord } from '../users/get-account-record.ts'
import { signUp } from '../users/sign-up.ts'
import { deleteOldSessions } from './delete-old-sessions.ts'
import { logOut } from './log-out.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
await redisReady(redis, 30_000)
const clock = { nowMs: Date.UTC(2026, 2, 1) }
const deps = await testDeps(db, redis, clock)
const anonymous = { kind: 'anonymous' } as const
afterAll(async () => {
  redis.disconnect()
  await drop()
})

async function someSignedIn(): Promise<UserActor> {
  const { user, sessionId } = await signUp(deps, anonymous, someSignUp())
  return { ...someUser({ userId: user.id }), sessionId }
}
const versionInRedis = ({ userId }: UserActor) => redis.hget(accountHashKey(userId), 'u')

test('the higher version is in Redis before sign-out responds', async () => {
  const actor = await someSignedIn()
  expect(await logOut(deps, actor)).toEqual({})
  expect(await versionInRedis(actor)).toBe('2')
  expect(await getAccountRecord(deps, actor.userId)).toMatchObject({ version: 2, ended_session_ids: [actor.sessionId] })
})

test('without Redis the response says when it takes effect, and the outbox has the version', async () => {
  const actor = await someSignedIn()
  const withoutRedis = { ...deps, raiseVersion: async () => false }
  expect(await logOut(withoutRedis, actor)).toEqual({ effective_within_seconds: 5 })
  expect(await versionInRedis(actor)).toBe('1')
  const last = db.selectFrom('outbox').selectAll().where('subject', '=', actor.userId).orderBy('position', 'desc')
  expect(await last.executeTakeFirst()).toMatchObject({ version_field: 'u', version: '2' })
})

test('a second sign-out changes nothing', async () => {
  const actor = await someSignedIn()
  await logOut(deps, actor)
  expect(await logOut(deps, actor)).toEqual({})
  expect(await getAccountRecord(deps, actor.userId)).toMatchObject({ version: 2 })
})

test("another user's session cannot be ended", async () => {
  const victim = await someSignedIn()
  const attacker = await someSignedIn()
  await logOut(deps, { ...attacker, sessionId: victim.sessionId })
  expect(await getAccountRecord(deps, victim.userId)).toMatchObject({ version: 1, ended_session_ids: [] })
})

test('an ended session is in the record as long as its access token is valid', async () => {
  const actor = await someSignedIn()
  await logOut(deps, actor)
  clock.nowMs += 15 * 60_000
  expect(await getAccountRecord(deps, actor.userId)).toMatchObject({ ended_session_ids: [actor.sessionId] })
  clock.nowMs += 61_000
  expect(await getAccountRecord(deps, actor.userId)).toMatchObject({ ended_session_ids: [] })
})

test('when more sessions ended than the record lists, tokens of the others are rejected by age', async () => {
  const actor = await someSignedIn()
  const startMs = clock.nowMs
  const sessions = Array.from({ length: 250 }, () => ({
    id: crypto.randomUUID(),
    user_id: actor.userId,
    is_remembered: false,
    created_at: new Date(startMs),
    last_used_at: new Date(startMs),
    expires_at: new Date(startMs + 3_600_000),
  }))
  await db.insertInto('session').values(sessions).execute()
  for (const [n, { id }] of sessions.entries()) {
    const ended = { ended_at: new Date(startMs + n * 1_000), end_reason: 'signed_out' as const }
    await db.updateTable('session').set(ended).where('id', '=', id).execute()
  }
  clock.nowMs += 250_000
  const { ended_session_ids, not_before } = await getAccountRecord(deps, actor.userId)
  expect(ended_session_ids).toEqual(
    sessions
      .slice(50)
      .map(({ id }) => id)
      .toReversed(),
  )
  expect(not_before).toBe((startMs + 49_000) / 1_000 + 1)
})

test('sessions and their tokens are deleted a day after their end, active ones never', async () => {
  await db.deleteFrom('session').execute()
  const [ended, living] = [await someSignedIn(), await someSignedIn()]
  await logOut(deps, ended)
  clock.nowMs += 86_400_000
  expect(await deleteOldSessions(deps)).toBe(0)
  clock.nowMs += 1
  expect(await deleteOldSessions(deps)).toBe(1)
  expect(await deleteOldSessions(deps)).toBe(0)
  const remaining = await db.selectFrom('refresh_token').select('session_id').execute()
  expect(remaining).toEqual([{ session_id: living.sessionId }])
})
