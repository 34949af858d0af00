import { randomUUIDv7 } from 'node:crypto'
import type { DemoAccount } from '@tapeline/service/demo-accounts'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { testDeps } from '../../test/deps.fixture.ts'
import { migrations } from '../migrations/all.ts'
import { logIn } from '../sessions/log-in.ts'
import type { Tables } from '../tables.ts'
import { seedDemoAccount } from './seed-demo-account.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
await redisReady(redis, 30_000)
const deps = await testDeps(db, redis)
const anonymous = { kind: 'anonymous' } as const
afterAll(async () => {
  redis.disconnect()
  await drop()
})

function someDemoAccount(): DemoAccount {
  const id = randomUUIDv7()
  return {
    id,
    email: `Admin-${id}@tapeline.local`,
    password: 'Tl4-a-random-one',
    first_name: 'Ada',
    last_name: 'Admin',
    mobile: '+15550100001',
    role: 'admin',
    tier: 'pro',
  }
}
const rowsOf = ({ id }: DemoAccount) => db.selectFrom('user_account').selectAll().where('id', '=', id).execute()

test('a demo account has the id, role and password of the file', async () => {
  const account = someDemoAccount()
  await seedDemoAccount(deps, account)
  const { user } = await logIn(deps, anonymous, { email: account.email, password: account.password })
  expect(user).toMatchObject({ id: account.id, role: 'admin', is_superuser: true, email_verified: true })
})

test('seeding again changes and publishes nothing', async () => {
  const account = someDemoAccount()
  await seedDemoAccount(deps, account)
  const before = await rowsOf(account)
  await seedDemoAccount(deps, account)
  expect(await rowsOf(account)).toEqual(before)
  const events = await db.selectFrom('outbox').select('position').where('subject', '=', account.id).execute()
  expect(events).toHaveLength(1)
})

test('a password that differs from the file is replaced, and nothing else', async () => {
  const account = someDemoAccount()
  await seedDemoAccount(deps, account)
  const [before] = await rowsOf(account)
  await seedDemoAccount(deps, { ...account, id: randomUUIDv7(), role: 'user', password: 'Tl4-another-one' })
  const [after] = await rowsOf(account)
  expect(after).toEqual({ ...before, password_hash: after?.password_hash })
  await expect(logIn(deps, anonymous, account)).rejects.toMatchObject({ code: 'login.failed' })
  await logIn(deps, anonymous, { ...account, password: 'Tl4-another-one' })
})
