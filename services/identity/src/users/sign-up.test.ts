import { accountHashKey } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { testDeps, someSignUp } from '../../test/deps.fixture.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { signUp } from './sign-up.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
await redisReady(redis, 30_000)
const clock = { nowMs: Date.now() }
const deps = await testDeps(db, redis, clock)
const anonymous = { kind: 'anonymous' } as const
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const eventsOf = async (userId: string) =>
  (await db.selectFrom('outbox').selectAll().where('subject', '=', userId).orderBy('position').execute()).map(
    ({ envelope, version_account, version_field, version }) => ({ envelope, version_account, version_field, version }),
  )

const countEvents = async () => (await db.selectFrom('outbox').select('position').execute()).length

test('a new account is saved with its event, its version is in Redis and its counters are initialized', async () => {
  const { user } = await signUp(deps, anonymous, someSignUp())
  expect(await eventsOf(user.id)).toEqual([
    {
      envelope: expect.objectContaining({
        type: 'identity.user-signed-up.v1',
        account: user.id,
        data: { user_id: user.id, role: 'user', tier: 'free', version: 1 },
      }),
      version_account: user.id,
      version_field: 'u',
      version: '1',
    },
  ])
  expect(await redis.hgetall(accountHashKey(user.id))).toEqual({ u: '1', g: String(clock.nowMs) })
})

test('without Redis the account is created, and the outbox has its version', async () => {
  const withoutRedis = { ...deps, raiseVersion: async () => false, markSeeded: async () => false }
  const { user } = await signUp(withoutRedis, anonymous, someSignUp())
  expect(await redis.hgetall(accountHashKey(user.id))).toEqual({})
  expect(await eventsOf(user.id)).toMatchObject([{ version_account: user.id, version: '1' }])
})

test('the response contains the tier and flags from config', async () => {
  const profile = {
    tier: 'pro' as const,
    time_zone: 'UTC',
    featureFlags: ['api_key_management'],
    flags: [],
    configs: {},
    globalConfigs: {},
  }
  const { user } = await signUp({ ...deps, findProfile: async () => profile }, anonymous, someSignUp())
  expect(user).toMatchObject({ subscription_tier: 'pro', featureFlags: ['api_key_management'] })
})

test('of two concurrent sign-ups with one e-mail one creates the account and the other stores nothing', async () => {
  const input = someSignUp()
  const eventsBefore = await countEvents()
  const upper = { ...input, email: input.email.toUpperCase() }
  const results = await Promise.allSettled([signUp(deps, anonymous, input), signUp(deps, anonymous, upper)])
  const rejected = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(rejected).toMatchObject([{ code: 'sign_up.failed', message: 'Signup failed' }])
  const users = await db.selectFrom('user_account').select('id').where('email_canonical', '=', input.email).execute()
  expect(users).toHaveLength(1)
  const sessions = await db
    .selectFrom('session')
    .select('id')
    .where('user_id', '=', users[0]?.id ?? '')
    .execute()
  expect(sessions).toHaveLength(1)
  expect(await countEvents()).toBe(eventsBefore + 1)
})

test('a known e-mail causes no failing statement, because PostgreSQL would log the address', async () => {
  const input = someSignUp()
  await signUp(deps, anonymous, input)
  const failure: unknown = await signUp(deps, anonymous, input).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'sign_up.failed' })
  expect(failure).not.toHaveProperty('cause.code')
})

test('a sign-up with a known e-mail is hashed like any other', async () => {
  const input = someSignUp()
  await signUp(deps, anonymous, input)
  let hashes = 0
  const counting = {
    ...deps,
    passwords: {
      ...deps.passwords,
      hash: (password: string) => {
        hashes += 1
        return deps.passwords.hash(password)
      },
    },
  }
  await expect(signUp(counting, anonymous, input)).rejects.toMatchObject({ code: 'sign_up.failed' })
  expect(hashes).toBe(1)
})

test('the password is nowhere in the database', async () => {
  const password = 'a password to be looked for'
  const { user } = await signUp(deps, anonymous, someSignUp({ password }))
  const row = await db.selectFrom('user_account').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
  expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  expect(JSON.stringify([row, await eventsOf(user.id)])).not.toContain(password)
})
