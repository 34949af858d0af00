import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareWithLog } from '../../../test/limits-against-log.fixture.ts'
import {
  admitted,
  decide,
  KEY_ID,
  seededAccount,
  accountWithSeededKey,
  loadScripts,
  MINUTE,
  redis,
  START,
  usageOf,
} from '../../../test/limiter-scripts.fixture.ts'

// decide.lua against an exact log, with a simulated clock: never more than the log over the window admits, never less
// than the log over window + one cell admits, and a client that waits as advised is admitted.

const WINDOWS = [
  { ms: 1_000, cellMs: 100 },
  { ms: 60_000, cellMs: 1_000 },
  { ms: 3_600_000, cellMs: 60_000 },
  { ms: 86_400_000, cellMs: 900_000 },
]
beforeAll(loadScripts)
afterAll(() => redis.disconnect())

test(
  'random traffic over bursts, pauses, days and ends of months is decided as by an exact log',
  { timeout: 120_000 },
  async () => {
    const shown = await compareWithLog({ seed: 7, runs: 12, steps: 200 })
    expect(shown.denials).toBeGreaterThan(300)
    expect(shown.deniedByKey).toBeGreaterThan(50)
    expect(shown.months).toBeGreaterThan(40)
    expect(shown.deniedByShadow).toBeGreaterThan(150)
    expect(shown.deniedByKeyShadow).toBeGreaterThan(150)
    expect(shown.waitedForShadow).toBeGreaterThan(300)
    expect(shown.admittedByShadow).toBeGreaterThan(50)
  },
)

test('a denied request changes only its usage cell', async () => {
  const account = await seededAccount()
  const limits = [1, 10, 10, 10, 10, 10]
  await decide(account, { limits })
  const before = [await redis.getBuffer(account.keys[1]), await redis.zrange(account.keys[2], '0', '-1')]
  const reply = await decide(account, { limits })
  expect([admitted(reply), reply[3]]).toEqual([0, 1])
  expect([await redis.getBuffer(account.keys[1]), await redis.zrange(account.keys[2], '0', '-1')]).toEqual(before)
  expect(await usageOf(account)).toEqual({ [`${MINUTE}:x:admitted`]: '1', [`${MINUTE}:x:denied`]: '1' })
})

test('an authorization failure changes only its usage cell', async () => {
  const account = await seededAccount()
  expect(await decide(account, { requested: 0, refused: 2 })).toEqual([0, START])
  expect(await usageOf(account)).toEqual({ [`${MINUTE}:x:refused`]: '2' })
  expect(await redis.exists(account.keys[1], account.keys[2])).toBe(0)
})

test('reading the windows consumes nothing and reports the usage', async () => {
  const account = await seededAccount()
  await decide(account, { requested: 3 })
  const reply = await decide(account, { requested: 0, report: true, now: START + 50 })
  expect(reply.slice(5, 11)).toEqual([3, 3, 3, 3, 3, 3])
  const leaves = WINDOWS.map(({ ms, cellMs }) => Math.floor(START / cellMs) * cellMs + cellMs + ms - (START + 50))
  expect(reply.slice(11, 15)).toEqual(leaves)
  expect(await redis.zcard(account.keys[2])).toBe(3)
})

test('requests of one call are admitted up to the limit that is reached first', async () => {
  const account = await seededAccount()
  const reply = await decide(account, { requested: 7, limits: [100, 100, 100, 5, 100, 100] })
  expect([admitted(reply), reply[3]]).toEqual([5, 8])
  expect(await redis.zcard(account.keys[2])).toBe(5)
})

test('each concurrent request has a lease, freed on release or expiry', async () => {
  const account = await seededAccount()
  const limits = [9, 9, 9, 9, 9, 1]
  expect(admitted(await decide(account, { limits, leases: ['a'] }))).toBe(1)
  const full = await decide(account, { limits, leases: ['b'] })
  expect([admitted(full), full[3]]).toEqual([0, 32])
  await redis.zrem(account.keys[2], 'a')
  expect(admitted(await decide(account, { limits, leases: ['c'] }))).toBe(1)
  expect(admitted(await decide(account, { limits, leases: ['d'], now: START + 9_999 }))).toBe(0)
  expect(admitted(await decide(account, { limits, leases: ['d'], now: START + 10_000 }))).toBe(1)
})

test('a new month begins by the clock of the script, and window counters continue', async () => {
  const account = await seededAccount()
  const end = START / 1_000 + 10
  const month: [number, number, number] = [START / 1_000 - 100, end, end + 2_592_000]
  const limits = [9, 9, 9, 9, 2, 9]
  expect(admitted(await decide(account, { limits, month, requested: 2 }))).toBe(2)
  const denied = await decide(account, { limits, month, now: START + 4_000 })
  expect([admitted(denied), denied[3], denied[4]]).toEqual([0, 16, 6_000])
  const next = await decide(account, { limits, month, now: START + 10_000 })
  expect([admitted(next), next[9], next[6]]).toEqual([1, 0, 2])
})

test('after a clock was set back, requests count in the newest cell', async () => {
  const account = await seededAccount()
  const limits = [2, 9, 9, 9, 9, 9]
  expect(admitted(await decide(account, { limits, requested: 2 }))).toBe(2)
  expect(admitted(await decide(account, { limits, now: START - 5_000 }))).toBe(0)
})

test('a request denied by a cap of the key consumes nothing of the account or of the key', async () => {
  const account = await accountWithSeededKey()
  const caps = [9, 2, 9, 9, 9, 9]
  expect(admitted(await decide(account, { requested: 2, caps }))).toBe(2)
  const all = [...account.keys.slice(0, 3), ...account.keysOfKey]
  const before = await Promise.all(all.map((key) => redis.dump(key)))
  const denied = await decide(account, { caps, now: START + 10 })
  expect([admitted(denied), denied[3]]).toEqual([0, 2 ** 7])
  expect(denied.slice(5, 11)).toEqual([2, 2, 2, 2, 2, 2])
  expect(denied.slice(16, 22)).toEqual([2, 2, 2, 2, 2, 2])
  expect(await Promise.all(all.map((key) => redis.dump(key)))).toEqual(before)
  expect(admitted(await decide(account, { caps, now: START + (denied[4] ?? 0) + 10 }))).toBe(1)
})

test('a limit of the account denies a key that is far from its own caps, and consumes nothing of them', async () => {
  const account = await accountWithSeededKey()
  const [limits, caps] = [
    [9, 1, 9, 9, 9, 9],
    [9, 9, 9, 9, 9, 9],
  ]
  await decide(account, { limits, caps })
  const denied = await decide(account, { limits, caps })
  expect([admitted(denied), denied[3], denied.slice(16, 22)]).toEqual([0, 2, [1, 1, 1, 1, 1, 1]])
})

test('a cap of concurrency is a lease of the key, and without one no lease is kept', async () => {
  const account = await accountWithSeededKey()
  const caps = [9, 9, 9, 9, 9, 1]
  expect(admitted(await decide(account, { caps, leases: ['a'] }))).toBe(1)
  const full = await decide(account, { caps, leases: ['b'] })
  expect([admitted(full), full[3]]).toEqual([0, 2 ** 11])
  await redis.zrem(account.keysOfKey[1], 'a')
  expect(admitted(await decide(account, { caps: [9, 9, 9, 9, 9, ''], leases: ['c'] }))).toBe(1)
  expect([await redis.zcard(account.keys[2]), await redis.zcard(account.keysOfKey[1])]).toEqual([2, 0])
})

test('a key whose own counters are missing is not decided; without caps they are never read', async () => {
  const account = await seededAccount()
  const caps = [9, 9, 9, 9, 9, 9]
  expect(await decide(account, { caps })).toEqual([3, START])
  expect(await redis.exists(...account.keys, ...account.keysOfKey)).toBe(1)
  expect(admitted(await decide(account, {}))).toBe(1)
  expect(await redis.exists(...account.keysOfKey)).toBe(0)
})

test('a key that had no caps for a while is seeded again, including its usage in that time', async () => {
  const account = await accountWithSeededKey()
  const caps = [9, 9, 9, 9, 9, 9]
  expect(admitted(await decide(account, { caps }))).toBe(1)
  expect(admitted(await decide(account, { requested: 5 }))).toBe(5)
  expect(await redis.hexists(account.keys[0], `c:${KEY_ID}`)).toBe(0)
  expect((await decide(account, { caps }))[0]).toBe(3)
})

test('a month never moves back, regardless of the clocks of the gateways', async () => {
  const account = await seededAccount()
  const limits = [9, 9, 9, 9, 2, 9]
  const end = START / 1_000 + 10
  const before: [number, number, number] = [end - 1_000, end, end + 1_000]
  const ahead: [number, number, number] = [end, end + 1_000, end + 2_000]
  expect(admitted(await decide(account, { limits, month: before }))).toBe(1)
  expect(admitted(await decide(account, { limits, month: ahead, now: START + 9_000 }))).toBe(1)
  const denied = await decide(account, { limits, month: ahead, now: START + 9_500 })
  expect([admitted(denied), denied[3], denied[4]]).toEqual([0, 16, 500])
  expect(admitted(await decide(account, { limits, month: ahead, now: START + 10_000 }))).toBe(1)
  const behind = await decide(account, { limits, month: before, now: START + 10_001, requested: 2 })
  expect([admitted(behind), behind[9]]).toEqual([1, 1])
})

test('a clock set back over the start of a month stays in that month, and the wait is until its end', async () => {
  const account = await seededAccount()
  const limits = [9, 9, 9, 9, 2, 9]
  const end = START / 1_000 + 10
  const month: [number, number, number] = [end - 1_000, end, end + 1_000]
  expect(admitted(await decide(account, { limits, month, now: START + 10_001, requested: 2 }))).toBe(2)
  const denied = await decide(account, { limits, month, now: START + 9_500 })
  expect([admitted(denied), denied[3], denied[4]]).toEqual([0, 16, 1_000_500])
})
