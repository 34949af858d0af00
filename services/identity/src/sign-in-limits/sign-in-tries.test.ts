import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, describe, expect, test } from 'vitest'
import { createSignInTries, type SignInTries, type Tried } from './sign-in-tries.ts'

const SETTINGS = { perAccount: 4, perPair: 2, delayMaxMs: 60_000 }
const clock = { nowMs: Date.UTC(2026, 2, 1) }
const now = () => new Date(clock.nowMs)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
await redisReady(redis, 30_000)
const unreachable = connectRedis({ url: 'redis://127.0.0.1:1', logger: silentLogger, commandTimeoutMs: 100 })
afterAll(() => {
  redis.disconnect()
  unreachable.disconnect()
})

/** A unique address, so that tests do not share counts. */
const newEmail = () => `${crypto.randomUUID()}@example.com`
const from = (email: string, network: string): Tried => ({ email, network, deviceId: undefined })

/** 0: allowed; otherwise the seconds to wait. */
async function take(tries: SignInTries, tried: Tried): Promise<number> {
  try {
    await tries.take(tried)
    return 0
  } catch (error) {
    expect(error).toMatchObject({ code: 'throttle.exceeded', status: 429 })
    return Number((error as { headers: Record<string, string> }).headers['retry-after'])
  }
}

async function takeAfter(tries: SignInTries, tried: Tried, waitMs: number): Promise<number> {
  clock.nowMs += waitMs
  return take(tries, tried)
}

const stores = [
  ['in Redis', redis],
  ['in memory while Redis is unavailable', unreachable],
] as const

describe.each(stores)('counted %s,', (_where, store) => {
  const tries = createSignInTries(store, SETTINGS, now)

  test('the second wrong password from one network is delayed, and each further one doubles the delay', async () => {
    const tried = from(newEmail(), '203.0.113.0/24')
    expect([await take(tries, tried), await take(tries, tried)]).toEqual([0, 0])
    expect(await take(tries, tried)).toBe(1)
    expect(await takeAfter(tries, tried, 999)).toBe(1)
    expect(await takeAfter(tries, tried, 1)).toBe(0)
    expect(await takeAfter(tries, tried, 1_000)).toBe(1)
    expect(await takeAfter(tries, tried, 1_000)).toBe(0)
    expect(await take(tries, tried)).toBe(4)
  })

  test('wrong passwords from many networks delay the account everywhere, up to the maximum', async () => {
    const email = newEmail()
    for (let n = 0; n < 4; n += 1) expect(await take(tries, from(email, `10.0.${n}.0/24`))).toBe(0)
    let waitS = 0
    for (let n = 4; n < 12; n += 1) {
      waitS = await take(tries, from(email, `10.0.${n}.0/24`))
      expect(waitS).toBe(Math.min(2 ** (n - 4), 60))
      expect(await takeAfter(tries, from(email, `10.0.${n}.0/24`), waitS * 1_000)).toBe(0)
    }
    expect(waitS).toBe(60)
  })

  test('concurrent tries do not bypass the delay', async () => {
    const email = newEmail()
    const waits = await Promise.all(Array.from({ length: 20 }, (_, n) => take(tries, from(email, `10.1.${n}.0/24`))))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(4)
  })

  test('a known device is delayed only by its own tries', async () => {
    const email = newEmail()
    for (let n = 0; n < 8; n += 1) await take(tries, from(email, `10.2.${n}.0/24`))
    const device = { ...from(email, '10.2.0.0/24'), deviceId: 'laptop' }
    expect([await take(tries, device), await take(tries, device), await take(tries, device)]).toEqual([0, 0, 1])
    expect(await take(tries, { ...device, deviceId: 'phone' })).toBe(0)
  })
})

describe.each(stores)('counted %s, tries that were no guess are not counted:', (_where, store) => {
  const tries = createSignInTries(store, SETTINGS, now)

  test('a correct password clears the counts of its network, and removes its own try from the account', async () => {
    const email = newEmail()
    const home = from(email, '203.0.113.0/24')
    for (let n = 0; n < 5; n += 1) {
      expect(await take(tries, home)).toBe(0)
      await tries.refund(home, 'right')
    }
    for (let n = 0; n < 4; n += 1) expect(await take(tries, from(email, `10.3.${n}.0/24`))).toBe(0)
    expect(await take(tries, home)).toBe(1)
  })

  test('a password that was not verified does not count', async () => {
    const tried = from(newEmail(), '203.0.113.0/24')
    for (let n = 0; n < 6; n += 1) {
      expect(await take(tries, tried)).toBe(0)
      await tries.refund(tried, 'not looked at')
    }
  })

  test('after the clock is set back no delay exceeds the maximum', async () => {
    const tried = from(newEmail(), '203.0.113.0/24')
    for (let n = 0; n < 2; n += 1) await take(tries, tried)
    clock.nowMs -= 3_600_000
    expect(await take(tries, tried)).toBe(60)
    clock.nowMs += 3_600_000
  })
})

test('a reset account has no counts; other accounts keep theirs', async () => {
  const tries = createSignInTries(redis, SETTINGS, now)
  const [email, other] = [newEmail(), newEmail()]
  for (const one of [email, other]) for (let n = 0; n < 3; n += 1) await take(tries, from(one, '203.0.113.0/24'))
  await tries.forget(email)
  expect(await take(tries, from(email, '203.0.113.0/24'))).toBe(0)
  expect(await take(tries, from(other, '203.0.113.0/24'))).toBe(1)
})
