import type { Actor } from '@tapeline/contracts/actor'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { testDeps, GOOD_PASSWORD, someSignUp } from '../../test/deps.fixture.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { createPasswordHasher } from '../passwords/password-hasher.ts'
import { signUp } from '../users/sign-up.ts'
import { deleteOldSessions } from './delete-old-sessions.ts'
import { logIn } from './log-in.ts'

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

async function someUserRow(from: Actor = anonymous) {
  const input = someSignUp()
  const { user } = await signUp(deps, from, input)
  const row = () => db.selectFrom('user_account').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
  return { credentials: { email: input.email, password: GOOD_PASSWORD }, userId: user.id, row }
}

test('a sign-in is recorded with its time and published with its session', async () => {
  const { credentials, userId, row } = await someUserRow()
  clock.nowMs += 60_000
  const { sessionId, user } = await logIn(deps, anonymous, credentials)
  expect(user.last_login_at).toBe(deps.now().toISOString())
  expect((await row()).last_login_at).toEqual(deps.now())
  const events = await db
    .selectFrom('outbox')
    .select(['envelope', 'version'])
    .where('subject', '=', userId)
    .orderBy('position', 'desc')
    .limit(1)
    .execute()
  expect(events).toMatchObject([
    {
      envelope: {
        type: 'identity.user-signed-in.v2',
        account: userId,
        data: { user_id: userId, session_id: sessionId, device: 'Unknown device', is_new_device: false },
      },
      version: null,
    },
  ])
})

const from = (network: string, userAgent: string) => ({ ...anonymous, network, userAgent })
const [home, phone] = [from('198.51.100.0/24', 'curl/8'), from('203.0.113.0/24', 'python-requests/2')]

/** Signs up from `home`. Returns a function that signs in and returns the data of the event. */
async function someDevices() {
  const { credentials, userId } = await someUserRow(home)
  return async (actor: typeof home, deviceToken?: string) => {
    const signedIn = await logIn(deps, actor, { ...credentials, ...(deviceToken === undefined ? {} : { deviceToken }) })
    const events = db.selectFrom('outbox').select('envelope').where('subject', '=', userId)
    const { envelope } = await events.orderBy('position', 'desc').limit(1).executeTakeFirstOrThrow()
    return { ...signedIn, event: (envelope as { data: { is_new_device: boolean; device: string } }).data }
  }
}

test('a sign-in from a browser and network that the account did not use before is marked as new; a device token prevents that', async () => {
  const isNew = await someDevices()
  expect((await isNew(home)).event).toMatchObject({ is_new_device: false, device: 'curl' })
  expect((await isNew(from('198.51.100.0/24', 'curl/9'))).event.is_new_device).toBe(false)
  const { event, deviceToken } = await isNew(phone)
  expect(event).toMatchObject({ is_new_device: true, device: 'Python' })
  expect((await isNew(phone)).event.is_new_device).toBe(false)
  expect((await isNew(from('192.0.2.0/24', 'python-requests/2'), deviceToken)).event.is_new_device).toBe(false)
  expect((await isNew(from('203.0.113.0/24', 'curl/8'))).event.is_new_device).toBe(true)
})

test('devices are remembered for 180 days after the last sign-in, also when their sessions are deleted', async () => {
  const isNew = await someDevices()
  const later = async (days: number) => {
    clock.nowMs += days * 86_400_000
    await deleteOldSessions(deps)
  }
  await later(3)
  expect((await isNew(home)).event.is_new_device).toBe(false)
  await later(179)
  expect((await isNew(phone)).event.is_new_device).toBe(true)
  expect((await isNew(home)).event.is_new_device).toBe(false)
  await later(181)
  expect((await isNew(home)).event.is_new_device).toBe(true)
})

test('a new password removes known devices', async () => {
  const isNew = await someDevices()
  const { user } = await isNew(home)
  clock.nowMs += 3 * 86_400_000
  await deleteOldSessions(deps)
  await db.updateTable('user_account').set({ devices_not_before: deps.now() }).where('id', '=', user.id).execute()
  expect((await isNew(home)).event.is_new_device).toBe(true)
})

test('an inactive account gets the error of a wrong password', async () => {
  const { credentials, userId, row } = await someUserRow()
  const failure = { code: 'login.failed', message: 'Incorrect username or password' }
  await expect(logIn(deps, anonymous, { ...credentials, password: 'wrong' })).rejects.toMatchObject(failure)
  await db.updateTable('user_account').set({ status: 'inactive' }).where('id', '=', userId).execute()
  const before = await row()
  await expect(logIn(deps, anonymous, credentials)).rejects.toMatchObject(failure)
  expect(await row()).toEqual(before)
})

test('a session lasts 30 days with "remember me", and 12 hours without it', async () => {
  const { credentials } = await someUserRow()
  const hoursOf = async (remember_me: boolean) => {
    const { sessionId } = await logIn(deps, anonymous, { ...credentials, remember_me })
    const session = await db.selectFrom('session').selectAll().where('id', '=', sessionId).executeTakeFirstOrThrow()
    return (session.expires_at.getTime() - clock.nowMs) / 3_600_000
  }
  expect([await hoursOf(true), await hoursOf(false)]).toEqual([720, 12])
})

test('after a change of the hash settings, the next sign-in renews the hash', async () => {
  const { credentials, row } = await someUserRow()
  const stronger = {
    ...deps,
    passwords: await createPasswordHasher({ memoryKib: 128, passes: 2, lanes: 1, waitingMax: 5 }),
  }
  await logIn(stronger, anonymous, credentials)
  const { password_hash } = await row()
  expect(password_hash).toContain('$m=128,t=2,p=1$')
  await logIn(stronger, anonymous, credentials)
  expect((await row()).password_hash).toBe(password_hash)
  await expect(logIn(stronger, anonymous, { ...credentials, password: 'wrong' })).rejects.toMatchObject({ status: 401 })
})

test('when the queue is full a sign-in is rejected with Retry-After, also with a wrong e-mail, and succeeds later', async () => {
  const { credentials } = await someUserRow()
  const slow = { memoryKib: 65_536, passes: 4, lanes: 1, waitingMax: 1 }
  const busy = { ...deps, passwords: await createPasswordHasher(slow) }
  let isFull = true
  const fill = async () => {
    while (isFull) await busy.passwords.hash('another')
  }
  const others = [fill(), fill()]
  const failure = { code: 'login.busy', status: 503, headers: { 'retry-after': '1' } }
  const unknown = `unknown-${crypto.randomUUID()}@example.com`
  await expect(logIn(busy, anonymous, credentials)).rejects.toMatchObject(failure)
  await expect(logIn(busy, anonymous, { ...credentials, email: unknown })).rejects.toMatchObject(failure)
  isFull = false
  await Promise.all(others)
  await logIn(busy, anonymous, credentials)
})

test('during guessing at an account its known devices can sign in, until the password is reset', async () => {
  const { credentials, userId } = await someUserRow()
  const { deviceToken } = await logIn(deps, anonymous, credentials)
  const guess = (n: number) =>
    logIn(deps, { ...anonymous, network: `10.0.${n}.0/24` }, { ...credentials, password: 'wrong' })
  for (let n = 0; n < 10; n += 1) await expect(guess(n)).rejects.toMatchObject({ code: 'login.failed' })
  const tooMany = { code: 'throttle.exceeded', status: 429 }
  await expect(guess(10)).rejects.toMatchObject(tooMany)
  await expect(logIn(deps, anonymous, credentials)).rejects.toMatchObject(tooMany)
  const fromKnownDevice = () => logIn(deps, anonymous, { ...credentials, deviceToken })
  expect((await fromKnownDevice()).user.id).toBe(userId)
  await db.updateTable('user_account').set({ devices_not_before: deps.now() }).where('id', '=', userId).execute()
  await expect(fromKnownDevice()).rejects.toMatchObject(tooMany)
})

test('guessing at an unknown e-mail gets the same responses', async () => {
  const email = `unknown-${crypto.randomUUID()}@example.com`
  const guess = (n: number) => logIn(deps, { ...anonymous, network: `10.1.${n}.0/24` }, { email, password: 'wrong' })
  for (let n = 0; n < 10; n += 1) await expect(guess(n)).rejects.toMatchObject({ code: 'login.failed' })
  await expect(guess(10)).rejects.toMatchObject({ code: 'throttle.exceeded', headers: { 'retry-after': '1' } })
})
