import { accountHashKey } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { testDeps, GOOD_PASSWORD, someSignUp } from '../../test/deps.fixture.ts'
import { migrations } from '../migrations/all.ts'
import { logIn } from '../sessions/log-in.ts'
import { refreshSession } from '../sessions/refresh-session.ts'
import type { Tables } from '../tables.ts'
import { changeUser } from './change-user.ts'
import { getAccountRecord } from './get-account-record.ts'
import { signUp } from './sign-up.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
await redisReady(redis, 30_000)
const deps = await testDeps(db, redis)
const anonymous = { kind: 'anonymous' } as const
const operator = { kind: 'service', service: 'operator' } as const
afterAll(async () => {
  redis.disconnect()
  await drop()
})
/** Being the last admin depends on all accounts. */
beforeEach(async () => {
  await db.deleteFrom('user_account').execute()
})

async function newAccount() {
  const { user, refreshToken } = await signUp(deps, anonymous, someSignUp())
  return { userId: user.id, email: user.email, refreshToken }
}

async function someAdmin() {
  const { userId } = await newAccount()
  await changeUser(deps, operator, { userId, role: 'admin' })
  return { userId }
}

function eventsOf(accountId: string) {
  return db.selectFrom('outbox').selectAll().where('subject', '=', accountId).orderBy('position').execute()
}
const versionInRedis = (accountId: string) => redis.hget(accountHashKey(accountId), 'u')

test('a new role reaches the gateways before the response, with an event that contains before and after', async () => {
  const { userId } = await newAccount()
  const changed = await changeUser(deps, operator, { userId, role: 'tester' })
  expect(changed).toMatchObject({ user: { id: userId, role: 'tester', status: 'active', version: 2 } })
  expect(changed).not.toHaveProperty('effective_within_seconds')
  expect(await versionInRedis(userId)).toBe('2')
  expect(await getAccountRecord(deps, userId)).toMatchObject({ role: 'tester', version: 2 })
  expect((await eventsOf(userId)).at(-1)).toMatchObject({
    topic: 'identity',
    version_account: userId,
    version_field: 'u',
    version: '2',
    envelope: {
      type: 'identity.role-changed.v1',
      account: userId,
      actorkind: 'service',
      actorid: 'operator',
      data: { user_id: userId, before: { role: 'user' }, after: { role: 'tester' }, version: 2 },
    },
  })
})

test('an inactive account cannot sign in or refresh, a reactivated one can; each change has its event', async () => {
  const { userId, email, refreshToken } = await newAccount()
  expect(await changeUser(deps, operator, { userId, status: 'inactive' })).toMatchObject({
    user: { status: 'inactive' },
  })
  expect(await getAccountRecord(deps, userId)).toMatchObject({ status: 'inactive', version: 2 })
  const signIn = () => logIn(deps, anonymous, { email, password: GOOD_PASSWORD })
  await expect(signIn()).rejects.toMatchObject({ code: 'login.failed' })
  await expect(refreshSession(deps, anonymous, { refreshToken })).rejects.toMatchObject({
    code: 'refresh_token.invalid',
  })
  await changeUser(deps, operator, { userId, status: 'active' })
  expect(await versionInRedis(userId)).toBe('3')
  expect((await signIn()).user.id).toBe(userId)
  const changes = (await eventsOf(userId)).filter(({ envelope }) => JSON.stringify(envelope).includes('status-changed'))
  expect(changes).toMatchObject([
    { envelope: { data: { before: { status: 'active' }, after: { status: 'inactive' }, version: 2 } } },
    { envelope: { data: { before: { status: 'inactive' }, after: { status: 'active' }, version: 3 } } },
  ])
})

test('the last active admin can neither step down nor be deactivated', async () => {
  const { userId } = await someAdmin()
  const sleeping = await someAdmin()
  await changeUser(deps, operator, { ...sleeping, status: 'inactive' })
  const last = { code: 'account.last_admin' }
  await expect(changeUser(deps, operator, { userId, role: 'user' })).rejects.toMatchObject(last)
  await expect(changeUser(deps, operator, { userId, status: 'inactive' })).rejects.toMatchObject(last)
  expect(await getAccountRecord(deps, userId)).toMatchObject({ role: 'admin', status: 'active', version: 2 })
  await changeUser(deps, operator, { ...sleeping, status: 'active' })
  expect(await changeUser(deps, operator, { userId, role: 'user' })).toMatchObject({
    user: { role: 'user', version: 3 },
  })
})

test('if all admins are demoted concurrently, one remains admin', async () => {
  const admins = [await someAdmin(), await someAdmin(), await someAdmin()]
  const outcomes = await Promise.allSettled(
    admins.map((admin, n) =>
      n === 0
        ? changeUser(deps, operator, { ...admin, status: 'inactive' })
        : changeUser(deps, operator, { ...admin, role: 'user' }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'account.last_admin' },
  })
})

test('an update without changes adds neither a version nor an event', async () => {
  const { userId } = await newAccount()
  const before = (await eventsOf(userId)).length
  expect(await changeUser(deps, operator, { userId, role: 'user' })).toMatchObject({ user: { version: 1 } })
  expect(await changeUser(deps, operator, { userId, status: 'active' })).toMatchObject({ user: { version: 1 } })
  expect(await eventsOf(userId)).toHaveLength(before)
})

test('without Redis the change is made and the response says when it takes effect', async () => {
  const withoutRedis = { ...deps, raiseVersion: async () => false }
  const { userId } = await newAccount()
  const changed = await changeUser(withoutRedis, operator, { userId, role: 'tester' })
  expect(changed).toMatchObject({ user: { role: 'tester' }, effective_within_seconds: 5 })
  expect((await eventsOf(userId)).at(-1)).toMatchObject({ version_field: 'u', version: '2' })
})

test('an unknown account cannot be changed', async () => {
  const userId = crypto.randomUUID()
  const unknown = { code: 'account.not_found' }
  await expect(changeUser(deps, operator, { userId, role: 'tester' })).rejects.toMatchObject(unknown)
  await expect(changeUser(deps, operator, { userId, status: 'inactive' })).rejects.toMatchObject(unknown)
})

test('role and status change in one version, each with its event', async () => {
  const { userId } = await newAccount()
  await changeUser(deps, operator, { userId, role: 'tester', status: 'inactive' })
  expect(await getAccountRecord(deps, userId)).toMatchObject({ role: 'tester', status: 'inactive', version: 2 })
  expect((await eventsOf(userId)).slice(-2)).toMatchObject([
    { version: '2', envelope: { type: 'identity.role-changed.v1', data: { after: { role: 'tester' }, version: 2 } } },
    {
      version: '2',
      envelope: { type: 'identity.status-changed.v1', data: { after: { status: 'inactive' }, version: 2 } },
    },
  ])
})
