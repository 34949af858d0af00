import { accountHashKey } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { testDeps, GOOD_PASSWORD, someSignUp } from '../../test/deps.fixture.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { getAccountRecord } from '../users/get-account-record.ts'
import { signUp } from '../users/sign-up.ts'
import { endSessions } from './end-sessions.ts'
import { logIn } from './log-in.ts'
import { refreshSession } from './refresh-session.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
await redisReady(redis, 30_000)
const clock = { nowMs: Date.UTC(2026, 2, 1) + 700 }
const deps = await testDeps(db, redis, clock)
const anonymous = { kind: 'anonymous' } as const
const operator = { kind: 'service', service: 'operator' } as const
afterAll(async () => {
  redis.disconnect()
  await drop()
})

/** A user with a session from sign-up and more from sign-ins. */
async function someSessions(signIns: number) {
  const { user, sessionId, refreshToken } = await signUp(deps, anonymous, someSignUp())
  const sessions = [{ sessionId, refreshToken }]
  for (let n = 0; n < signIns; n += 1) {
    sessions.push(await logIn(deps, anonymous, { email: user.email, password: GOOD_PASSWORD }))
  }
  return { account_id: user.id, email: user.email, sessions }
}
const idsOf = (sessions: { sessionId: string }[]) => sessions.map(({ sessionId }) => sessionId).toSorted()

test('all sessions end at once, including those of this second, and a new sign-in works', async () => {
  const { account_id, email, sessions } = await someSessions(2)
  const earlier = new Date(clock.nowMs).toISOString()
  clock.nowMs += 10_000
  const young = await logIn(deps, anonymous, { email, password: GOOD_PASSWORD })
  expect(await endSessions(deps, operator, { account_id })).toEqual({ account_id, ended: 4, version: 2 })
  expect(await redis.hget(accountHashKey(account_id), 'u')).toBe('2')
  const record = await getAccountRecord(deps, account_id)
  expect(record.not_before).toBe(Math.floor(clock.nowMs / 1_000))
  expect(record.ended_session_ids.toSorted()).toEqual(idsOf([...sessions, young]))
  for (const { refreshToken } of [...sessions, young]) {
    await expect(refreshSession(deps, anonymous, { refreshToken })).rejects.toMatchObject({
      code: 'refresh_token.invalid',
    })
  }
  const events = await db
    .selectFrom('outbox')
    .selectAll()
    .where('subject', '=', account_id)
    .orderBy('position')
    .execute()
  expect(events.at(-1)).toMatchObject({
    version: '2',
    version_field: 'u',
    envelope: {
      type: 'identity.sessions-ended.v1',
      actorid: 'operator',
      data: {
        user_id: account_id,
        before: { not_before: earlier },
        after: { not_before: new Date(clock.nowMs).toISOString() },
        version: 2,
      },
    },
  })
  const again = await logIn(deps, anonymous, { email, password: GOOD_PASSWORD })
  const { ended_session_ids, not_before } = await getAccountRecord(deps, account_id)
  expect(ended_session_ids).not.toContain(again.sessionId)
  expect(not_before).toBeLessThanOrEqual(Math.floor(clock.nowMs / 1_000))
})

test('one session can be ended alone; ending it again changes nothing', async () => {
  const { account_id, sessions } = await someSessions(1)
  const [first, second] = sessions
  const end = () => endSessions(deps, operator, { account_id, session_id: first?.sessionId ?? '' })
  expect(await end()).toEqual({ account_id, ended: 1, version: 2 })
  expect(await end()).toEqual({ account_id, ended: 0, version: 2 })
  expect(await getAccountRecord(deps, account_id)).toMatchObject({ ended_session_ids: [first?.sessionId] })
  const alive = await refreshSession(deps, anonymous, { refreshToken: second?.refreshToken ?? '' })
  expect(alive.sessionId).toBe(second?.sessionId)
})

test("another account's session cannot be ended by its id", async () => {
  const victim = await someSessions(0)
  const other = await someSessions(0)
  const session_id = victim.sessions[0]?.sessionId ?? ''
  expect(await endSessions(deps, operator, { account_id: other.account_id, session_id })).toMatchObject({ ended: 0 })
  expect(await getAccountRecord(deps, victim.account_id)).toMatchObject({ ended_session_ids: [] })
})

test('concurrent calls end all sessions of an account, and each raises the version', async () => {
  const { account_id, sessions } = await someSessions(3)
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => endSessions(deps, operator, { account_id })))
  expect(outcomes.reduce((sum, { ended }) => sum + ended, 0)).toBe(sessions.length)
  expect(await getAccountRecord(deps, account_id)).toMatchObject({ version: 5 })
})

test('without Redis the sessions are ended and the response says when it takes effect', async () => {
  const { account_id } = await someSessions(0)
  const withoutRedis = { ...deps, raiseVersion: async () => false }
  expect(await endSessions(withoutRedis, operator, { account_id })).toMatchObject({
    ended: 1,
    effective_within_seconds: 5,
  })
})

test('an unknown account has no sessions to end', async () => {
  const account_id = crypto.randomUUID()
  const unknown = { code: 'account.not_found' }
  await expect(endSessions(deps, operator, { account_id })).rejects.toMatchObject(unknown)
  await expect(endSessions(deps, operator, { account_id, session_id: account_id })).rejects.toMatchObject(unknown)
})
