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
import { logIn } from './log-in.ts'
import { refreshSession } from './refresh-session.ts'

const HOUR_MS = 3_600_000
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

const refresh = async (refreshToken: string) => (await refreshSession(deps, anonymous, { refreshToken })).refreshToken
const invalid = { code: 'refresh_token.invalid', status: 401 }

async function someSession(remember_me = false) {
  const input = someSignUp()
  await signUp(deps, anonymous, input)
  const { sessionId, refreshToken, user } = await logIn(deps, anonymous, {
    ...input,
    password: GOOD_PASSWORD,
    remember_me,
  })
  const record = () => getAccountRecord(deps, user.id)
  const endings = async () =>
    (await db.selectFrom('outbox').select(['envelope', 'version']).where('subject', '=', user.id).execute()).filter(
      ({ envelope }) => JSON.stringify(envelope).includes('session-ended'),
    )
  return { sessionId, refreshToken, userId: user.id, record, endings }
}

test('each refresh returns a new token, which can be refreshed again', async () => {
  const { refreshToken, sessionId, userId } = await someSession()
  const second = await refreshSession(deps, anonymous, { refreshToken })
  expect(second).toEqual({ userId, role: 'user', sessionId, refreshToken: expect.stringMatching(/^[\w-]{43}$/) })
  clock.nowMs += 15 * 60_000
  const third = await refresh(second.refreshToken)
  expect(new Set([refreshToken, second.refreshToken, third]).size).toBe(3)
})

test('two tabs that refresh concurrently get the same token, which can be refreshed again', async () => {
  let { refreshToken, record } = await someSession()
  let tokens: string[] = []
  for (let time = 0; time < 15; time += 1) {
    refreshToken = tokens[0] ?? refreshToken
    tokens = await Promise.all([1, 2, 3, 4].map(() => refresh(refreshToken)))
    expect(new Set(tokens).size).toBe(1)
  }
  clock.nowMs += 5_000
  expect(await refresh(refreshToken)).toBe(tokens[0])
  await refresh(tokens[0] ?? '')
  expect(await record()).toMatchObject({ version: 1, ended_session_ids: [] })
})

test('a used token after the grace period ends the whole family, and the version reaches the gateways', async () => {
  const { refreshToken, sessionId, userId, record, endings } = await someSession()
  const successor = await refresh(refreshToken)
  clock.nowMs += 5_001
  await expect(refresh(refreshToken)).rejects.toMatchObject(invalid)
  await expect(refresh(successor)).rejects.toMatchObject(invalid)
  expect(await record()).toMatchObject({ version: 2, ended_session_ids: [sessionId] })
  expect(await redis.hget(accountHashKey(userId), 'u')).toBe('2')
  expect(await endings()).toMatchObject([
    {
      envelope: {
        type: 'identity.session-ended.v1',
        data: { session_id: sessionId, reason: 'refresh_reused', version: 2 },
      },
      version: '2',
    },
  ])
})

test('repeated use of a used token ends its family once', async () => {
  const { refreshToken, endings } = await someSession()
  await refresh(refreshToken)
  clock.nowMs += 5_001
  const tries = await Promise.allSettled([1, 2, 3].map(() => refresh(refreshToken)))
  expect(tries.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await endings()).toHaveLength(1)
})

test("the end of one family leaves the user's other sessions active", async () => {
  const input = someSignUp()
  const first = await signUp(deps, anonymous, input)
  const other = await logIn(deps, anonymous, { email: input.email, password: GOOD_PASSWORD })
  await refresh(first.refreshToken)
  clock.nowMs += 5_001
  await expect(refresh(first.refreshToken)).rejects.toMatchObject(invalid)
  await refresh(other.refreshToken)
})

test('a session ends after 12 hours without use', async () => {
  let { refreshToken } = await someSession()
  for (let time = 0; time < 3; time += 1) {
    clock.nowMs += 12 * HOUR_MS - 1
    refreshToken = await refresh(refreshToken)
  }
  clock.nowMs += 12 * HOUR_MS
  await expect(refresh(refreshToken)).rejects.toMatchObject(invalid)
})

test('a remembered session lasts 30 days, used or not', async () => {
  let { refreshToken } = await someSession(true)
  clock.nowMs += 29 * 24 * HOUR_MS
  refreshToken = await refresh(refreshToken)
  clock.nowMs += 24 * HOUR_MS - 1
  refreshToken = await refresh(refreshToken)
  clock.nowMs += 1
  await expect(refresh(refreshToken)).rejects.toMatchObject(invalid)
})

test('a changed role is in the next access token, and an inactive account gets none', async () => {
  const { refreshToken, userId } = await someSession()
  const user = db.updateTable('user_account').where('id', '=', userId)
  await user.set({ role: 'tester' }).execute()
  const next = await refreshSession(deps, anonymous, { refreshToken })
  expect(next.role).toBe('tester')
  await user.set({ status: 'inactive' }).execute()
  await expect(refresh(next.refreshToken)).rejects.toMatchObject(invalid)
})

test('an unknown token is rejected', async () => {
  await expect(refresh('x'.repeat(43))).rejects.toMatchObject(invalid)
})

test('the database contains neither a token nor, after the grace period, a way from a used token to the current one', async () => {
  const { refreshToken, sessionId } = await someSession()
  const second = await refresh(refreshToken)
  clock.nowMs += 5_001
  const third = await refresh(second)
  const rows = await db.selectFrom('refresh_token').selectAll().where('session_id', '=', sessionId).execute()
  expect(rows.filter(({ sealed_successor }) => sealed_successor !== null)).toHaveLength(1)
  const stored = rows
    .map(({ hash, sealed_successor }) => `${hash.toString('latin1')}${sealed_successor?.toString('latin1')}`)
    .join()
  for (const token of [refreshToken, second, third]) expect(stored).not.toContain(token)
})
