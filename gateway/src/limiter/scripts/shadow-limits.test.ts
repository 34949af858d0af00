import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  admitted,
  commandsOf,
  decide,
  seededAccount,
  accountWithSeededKey,
  loadScripts,
  redis,
  shadowOf,
  START,
  UNLIMITED,
  usageOf,
} from '../../../test/limiter-scripts.fixture.ts'
import { scripts } from './scripts.ts'

// Limits that decide.lua decides in addition to those in force. Comparison with an exact log: decide.test.ts.

const RINGS_BYTES = 1_008
const MARK = 'aaaaaaa1'
const perMinute = (limit: number) => [1e9, limit, 1e9, 1e9, 1e9, 1e6]
const shadow = (limits: number[], mark = MARK) => ({ mark, limits })
beforeAll(loadScripts)
afterAll(() => redis.disconnect())

test('without shadow limits a decision has the same commands and the same reply as before', async () => {
  const account = await seededAccount()
  await decide(account)
  const commands = await commandsOf(account, () => decide(account, { now: START + 10 }))
  expect(commands).toEqual(['HMGET', 'GET', 'ZCARD', 'SETRANGE', 'ZADD', 'HINCRBY'])
  expect(await redis.strlen(account.keys[1])).toBe(RINGS_BYTES)
})

test('shadow limits cost one more write, and none when they deny', async () => {
  const account = await seededAccount()
  const limits = perMinute(2)
  await decide(account, { shadow: shadow(limits) })
  const counted = await commandsOf(account, () => decide(account, { shadow: shadow(limits), now: START + 150 }))
  expect(counted).toEqual(['HMGET', 'GET', 'ZCARD', 'SETRANGE', 'SETRANGE', 'ZADD', 'HINCRBY', 'SETRANGE'])
  const denied = await commandsOf(account, () => decide(account, { shadow: shadow(limits), now: START + 160 }))
  expect(denied).toEqual(['HMGET', 'GET', 'ZCARD', 'SETRANGE', 'ZADD', 'HINCRBY'])
})

test('requests that shadow limits deny are admitted, and count only as admitted', async () => {
  const account = await seededAccount()
  const options = { requested: 3, shadow: shadow(perMinute(2)) }
  const reply = await decide(account, options)
  expect([admitted(reply), shadowOf(reply, 3)]).toEqual([3, { admitted: 2, mask: 2, waitMs: 61_000 }])
  expect(Object.entries(await usageOf(account))).toMatchObject([[expect.stringContaining('admitted'), '3']])
  expect(await redis.zcard(account.keys[2])).toBe(3)
  const later = await decide(account, { ...options, now: START + 61_000 })
  expect(shadowOf(later, 3)).toMatchObject({ admitted: 2, mask: 2 })
})

test('requests denied by the limits in force count for shadow limits that admit them', async () => {
  const account = await accountWithSeededKey()
  const [limits, caps] = [perMinute(1), UNLIMITED]
  const first = await decide(account, { limits, caps, requested: 2, shadow: shadow(perMinute(3)) })
  expect([admitted(first), shadowOf(first, 2, true)]).toMatchObject([1, { admitted: 2, mask: 0 }])
  const second = await decide(account, { limits, caps, requested: 2, now: START + 5_000, shadow: shadow(perMinute(3)) })
  expect([admitted(second), shadowOf(second, 2, true)]).toMatchObject([0, { admitted: 1, mask: 2 }])
  const mine = await seededAccount()
  const denied = await decide(mine, { limits: [0, ...perMinute(1).slice(1)], shadow: shadow(perMinute(3)) })
  expect([admitted(denied), shadowOf(denied, 1)]).toMatchObject([0, { admitted: 1, mask: 0 }])
  expect(await redis.pttl(mine.keys[1])).toBeGreaterThan(0)
  expect(admitted(await decide(mine, { limits: perMinute(1), shadow: shadow(perMinute(3)) }))).toBe(1)
})

test('another proposal, or the same one after an interruption, begins with empty windows', async () => {
  const account = await seededAccount()
  const full = async (mark?: string) => {
    const reply = await decide(account, { requested: 2, shadow: shadow(perMinute(2), mark) })
    return shadowOf(reply, 2).admitted
  }
  expect([await full(), await full(), await full('aaaaaaa2'), await full('aaaaaaa2')]).toEqual([2, 0, 2, 0])
  const own = admitted(await decide(account, { limits: perMinute(9) }))
  expect([own, await redis.strlen(account.keys[1])]).toEqual([1, RINGS_BYTES])
  expect(await full('aaaaaaa2')).toBe(2)
  expect(admitted(await decide(account, { limits: perMinute(11), requested: 2 }))).toBe(0)
})

test('the concurrency limit is compared with the requests that are open', async () => {
  const account = await seededAccount()
  const one = shadow([...UNLIMITED.slice(0, 5), 2])
  const decideWith = async (lease: string, now: number) =>
    shadowOf(await decide(account, { shadow: one, leases: [lease], now }), 1)
  expect([await decideWith('a', START), await decideWith('b', START)]).toMatchObject([{ admitted: 1 }, { admitted: 1 }])
  expect(await decideWith('c', START + 10)).toEqual({ admitted: 0, mask: 32, waitMs: 0 })
  await redis.zrem(account.keys[2], 'b', 'c')
  expect(await decideWith('d', START + 20)).toEqual({ admitted: 1, mask: 0, waitMs: 0 })
})

test('merging an outage does not change the windows of the shadow limits', async () => {
  const account = await seededAccount()
  const both = { requested: 2, shadow: shadow(perMinute(2)) }
  await decide(account, both)
  const keys = [account.keys[0], account.keys[1], `merged:{${account.id}}`, account.keys[3]]
  const share = [3, Math.floor(START / 60_000), 4]
  const argv = ['m-1', 0, 4, 0, START + 50, START, share.length, ...share]
  await redis.evalsha(scripts.merge.sha, keys.length, ...keys, ...argv)
  const reply = await decide(account, { ...both, now: START + 100 })
  expect([reply[7], shadowOf(reply, 2)]).toMatchObject([6, { admitted: 0, mask: 2 }])
})

test('after a clock was set back, a window is freed after its length, not when the clock has caught up', async () => {
  const account = await seededAccount()
  const dayMs = 86_400_000
  const both = { requested: 2, shadow: shadow(perMinute(2)), month: [0, 4e9, 5e9] as [number, number, number] }
  await decide(account, { ...both, now: START + dayMs })
  expect(shadowOf(await decide(account, { ...both, now: START }), 2)).toMatchObject({ admitted: 0, mask: 2 })
  expect(shadowOf(await decide(account, { ...both, now: START + 60_000 }), 2).admitted).toBe(0)
  expect(shadowOf(await decide(account, { ...both, now: START + 61_000 }), 2).admitted).toBe(2)
})

test('a request leaves the daily shadow window after a day and a cell', async () => {
  const account = await seededAccount()
  const perDay = shadow([1e9, 1e9, 1e9, 2, 1e9, 1e6])
  const decideAfter = async (hours: number) =>
    shadowOf(await decide(account, { shadow: perDay, now: START + hours * 3_600_000 }), 1)
  const full = { admitted: 0, mask: 8 }
  expect([await decideAfter(0), await decideAfter(3), await decideAfter(23)]).toMatchObject([
    { admitted: 1 },
    { admitted: 1 },
    full,
  ])
  expect([await decideAfter(24.5), await decideAfter(25), await decideAfter(27.5)]).toMatchObject([
    { admitted: 1 },
    full,
    { admitted: 1 },
  ])
})
