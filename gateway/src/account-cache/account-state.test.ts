import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Account,
  admitted,
  decide,
  seededAccount,
  loadScripts,
  MINUTE,
  newAccount,
  redis,
  START,
  usageOf,
} from '../../test/limiter-scripts.fixture.ts'
import { scripts } from '../limiter/scripts/scripts.ts'

beforeAll(loadScripts)
afterAll(() => redis.disconnect())

test('an account that Redis has lost is not decided until its counters are seeded, under one ticket', async () => {
  const account = newAccount()
  const [verdict, now, ticket] = await decide(account)
  expect([verdict, now]).toEqual([2, START])
  expect(await decide(account)).toEqual([2, START, ticket])
  expect(await redis.hgetall(account.keys[0])).toEqual({ t: String(ticket) })
  await redis.del(account.keys[0])
  expect((await decide(account))[2]).not.toBe(ticket)
})

test.each([
  ['user', { u: 1 }, [2, 1, 1]],
  ['subscription', { s: 1 }, [1, 2, 1]],
  ['key', { k: 1 }, [1, 1, 2]],
] as const)('an older version of the %s is stale and consumes nothing', async (_what, question, versions) => {
  const account = await seededAccount()
  await redis.hset(account.keys[0], { u: versions[0], s: versions[1], 'k:x': versions[2] })
  const reply = await decide(account, { ...question, refused: 1 })
  expect(reply).toEqual([1, START, ...versions, 1])
  expect(await redis.exists(account.keys[1], account.keys[2])).toBe(0)
  expect(await usageOf(account)).toEqual({})
})

test('a missing version is stale until the record was loaded after that verdict; then the script writes it', async () => {
  const account = await seededAccount()
  await redis.hdel(account.keys[0], 'k:x')
  expect(await decide(account, { k: 5 })).toEqual([1, START, 1, 1, -1, 1])
  for (const loaded of ['1:3', '2:4']) {
    expect(await decide(account, { k: 5, loaded }), loaded).toEqual([1, START, 1, 1, -1, 1])
  }
  expect(admitted(await decide(account, { k: 5, loaded: '1:4' }))).toBe(1)
  expect(await redis.hget(account.keys[0], 'k:x')).toBe('5')
})

test('a version in Redis never decreases; a session needs no key', async () => {
  const account = await seededAccount()
  expect(admitted(await decide(account, { u: 3, k: '' }))).toBe(1)
  expect(await redis.hget(account.keys[0], 'u')).toBe('3')
})

test('lost counters are seeded once, versions only increase, and coarse counts go to the newest possible cell', async () => {
  const account = newAccount()
  const minute = Math.floor(START / 60_000)
  await redis.hset(account.keys[0], { s: '9' })
  const ticket = (await decide(account))[2]
  const seed = (month: number, by = ticket ?? 0) => {
    const seedArguments = ['x', 4, 5, 6, 100, 4e9, month, START, by, minute - 2, 3, minute, 2]
    return redis.evalsha(scripts.seed.sha, 2, account.keys[0], account.keys[1], ...seedArguments)
  }
  expect(await seed(30, 1)).toBe(0)
  expect(await redis.hgetall(account.keys[0])).toEqual({ s: '9', t: String(ticket) })
  expect([await seed(40), await seed(70)]).toEqual([1, 0])
  expect(await redis.hgetall(account.keys[0])).toEqual({ u: '4', s: '9', 'k:x': '6', g: String(START) })
  const reply = await decide(account, { u: 4, s: 9, k: 6, requested: 0, report: true, month: [100, 4e9, 5e9] })
  expect(reply.slice(5, 10)).toEqual([2, 2, 5, 5, 40])
})

/** Two requests that a share admitted at the start, as its gateway sends them. */
function mergeOf({ id: accountId, keys }: Account) {
  const cells = [START / 100, START / 1_000, MINUTE, Math.floor(START / 900_000)]
  const rings = cells.flatMap((cell, n) => [n + 1, cell, 2])
  const usage = [MINUTE, 'x', 'admitted', 2]
  return async (id = 'm1', sinceMs = START) => {
    const names = [keys[0], keys[1], `merged:{${accountId}}:test`, keys[3]]
    const argv = [id, 0, 2, 0, START, sinceMs, rings.length, ...rings, ...usage]
    const answer: unknown = await redis.evalsha(scripts.merge.sha, names.length, ...names, ...argv)
    return Array.isArray(answer) ? Number(answer[0]) : answer
  }
}

test('a merge adds once, also when it is sent twice', async () => {
  const account = await seededAccount()
  await decide(account, { requested: 1 })
  const merge = mergeOf(account)
  expect([await merge(), await merge()]).toEqual([0, 1])
  const reply = await decide(account, { requested: 0, report: true })
  expect(reply.slice(5, 10)).toEqual([3, 3, 3, 3, 3])
  expect(Object.values(await usageOf(account))).toEqual(['3'])
})

test('admissions by a share before the seeding are part of the seed: only their usage cells are added, once', async () => {
  const account = await seededAccount()
  await redis.hdel(account.keys[0], 'g')
  const merge = mergeOf(account)
  expect([await merge('m1'), await merge('m1')]).toEqual([2, 2])
  expect(Object.values(await usageOf(account))).toEqual(['2'])
  await redis.hset(account.keys[0], 'g', START + 1)
  expect([await merge('m1'), await merge('m1')]).toEqual([0, 1])
  expect(Object.values(await usageOf(account))).toEqual(['2'])
  const used = async () => (await decide(account, { requested: 0, report: true })).slice(5, 10)
  expect(await used()).toEqual([0, 0, 0, 0, 0])
  expect(await merge('m2', START + 2)).toBe(0)
  expect(await used()).toEqual([2, 2, 2, 2, 2])
  expect(Object.values(await usageOf(account))).toEqual(['4'])
})

const DAY_MS = 86_400_000

/** A merge of three requests by a gateway whose clock is in this month; no usage cells. */
async function mergeMonth({ id: accountId, keys }: Account, id: string, periodS: number, nowMs: number) {
  const names = [keys[0], keys[1], `merged:{${accountId}}:test`, keys[3]]
  await redis.evalsha(scripts.merge.sha, names.length, ...names, id, periodS, 3, 0, nowMs, nowMs, 0)
}

test('a merge by a gateway whose clock is past the end of the month counts in the current month only', async () => {
  const account = await seededAccount()
  const endS = START / 1_000 + 10
  const month: [number, number, number] = [START / 1_000 - DAY_MS / 1_000, endS, endS + 2_592_000]
  const next: [number, number, number] = [endS, endS + 2_592_000, endS + 5_184_000]
  const limits = [99, 99, 99, 99, 50, 99]
  expect(admitted(await decide(account, { limits, month, requested: 40 }))).toBe(40)
  await mergeMonth(account, 'ahead', endS, START + 1_000)
  const later = await decide(account, { limits, month, requested: 20, now: START + 2_000 })
  expect([admitted(later), later[9]]).toEqual([7, 43])
  const inNext = await decide(account, { limits, month: next, requested: 5, now: START + 10_000 })
  expect([admitted(inNext), inNext[9]]).toEqual([5, 0])
  await mergeMonth(account, 'behind', month[0], START + 11_000)
  expect((await decide(account, { limits, month: next, requested: 0, report: true, now: START + 11_000 }))[9]).toBe(5)
})

test('after a clock jump of one day for one request, no request is wrongly rejected for longer than the window', async () => {
  const account = await seededAccount()
  const limits = [9, 3, 99, 99, 99, 99]
  expect(admitted(await decide(account, { limits }))).toBe(1)
  expect(admitted(await decide(account, { limits, now: START + DAY_MS }))).toBe(1)
  const back = await decide(account, { limits, requested: 3, now: START + 1_000 })
  expect([admitted(back), back[3]]).toEqual([2, 2])
  expect(back[4]).toBeLessThanOrEqual(61_000)
  const denied = await decide(account, { limits, now: START + 30_000 })
  expect([admitted(denied), (denied[4] ?? 0) + 30_000 <= 62_000]).toEqual([0, true])
  expect(admitted(await decide(account, { limits, requested: 3, now: START + 62_000 }))).toBe(3)
})

test('after a clock jump, every full window frees capacity within its length plus one cell', async () => {
  for (const [n, windowMs] of [1_000, 60_000, 3_600_000, DAY_MS].entries()) {
    const account = await seededAccount()
    const limits = [99, 99, 99, 99, 99, 99].map((limit, at) => (at === n ? 2 : limit))
    await decide(account, { limits, now: START + DAY_MS })
    const [, , , , waitMs = 0] = await decide(account, { limits, requested: 2, now: START })
    expect(waitMs).toBeGreaterThan(0)
    expect(waitMs).toBeLessThanOrEqual(windowMs * 1.1)
    expect(admitted(await decide(account, { limits, now: START + waitMs - 1 }))).toBe(0)
    expect(admitted(await decide(account, { limits, now: START + waitMs }))).toBe(1)
  }
})

test('a merge after a clock jump adds to windows that expire on time', async () => {
  const account = await seededAccount()
  const limits = [9, 3, 99, 99, 99, 99]
  await decide(account, { limits, now: START + DAY_MS })
  await mergeOf(account)()
  const denied = await decide(account, { limits, now: START + 1_000 })
  expect([admitted(denied), (denied[4] ?? 0) <= 61_000]).toEqual([0, true])
})

test('a month set by a clock one day ahead continues as the current month', async () => {
  const account = await seededAccount()
  const endS = START / 1_000 + 3_600
  const month: [number, number, number] = [START / 1_000 - 86_400, endS, endS + 2_592_000]
  const limits = [99, 99, 99, 99, 5, 99]
  expect(admitted(await decide(account, { limits, month, requested: 2 }))).toBe(2)
  expect(admitted(await decide(account, { limits, month, now: START + DAY_MS }))).toBe(1)
  const full = await decide(account, { limits, month, requested: 6, now: START + 1_000 })
  expect([admitted(full), full[3], full[4]]).toEqual([4, 16, 3_599_000])
  const next = await decide(account, { limits, month, now: START + 3_600_000 })
  expect([admitted(next), next[9]]).toEqual([1, 0])
})
