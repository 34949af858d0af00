import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Account,
  admitted,
  decide,
  knownAccount,
  loadScripts,
  MINUTE,
  newAccount,
  redis,
  START,
  usageOf,
} from './limiter-under-test.ts'
import { scripts } from './limiter-scripts.ts'

beforeAll(loadScripts)
afterAll(() => redis.disconnect())

test('what Redis has lost is not decided: the counters must be seeded first, under one ticket for all', async () => {
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
  const account = await knownAccount()
  await redis.hset(account.keys[0], { u: versions[0], s: versions[1], 'k:x': versions[2] })
  const reply = await decide(account, { ...question, refused: 1 })
  expect(reply).toEqual([1, START, ...versions, 1])
  expect(await redis.exists(account.keys[1], account.keys[2])).toBe(0)
  expect(await usageOf(account)).toEqual({})
})

test('a missing version is stale until the record was loaded after that verdict; then the script writes it', async () => {
  const account = await knownAccount()
  await redis.hdel(account.keys[0], 'k:x')
  expect(await decide(account, { k: 5 })).toEqual([1, START, 1, 1, -1, 1])
  for (const loaded of ['1:3', '2:4']) {
    expect(await decide(account, { k: 5, loaded }), loaded).toEqual([1, START, 1, 1, -1, 1])
  }
  expect(admitted(await decide(account, { k: 5, loaded: '1:4' }))).toBe(1)
  expect(await redis.hget(account.keys[0], 'k:x')).toBe('5')
})

test('a newer version is written upwards, a session needs no key', async () => {
  const account = await knownAccount()
  expect(admitted(await decide(account, { u: 3, k: '' }))).toBe(1)
  expect(await redis.hget(account.keys[0], 'u')).toBe('3')
})

test('lost counters are seeded once, versions upwards, and coarse counts lie in the newest cell they may belong to', async () => {
  const account = newAccount()
  const minute = Math.floor(START / 60_000)
  await redis.hset(account.keys[0], { s: '9' })
  const ticket = (await decide(account))[2]
  const seed = (month: number, by = ticket ?? 0) => {
    const seedArguments = ['x', 4, 5, 6, 100, month, START, by, minute - 2, 3, minute, 2]
    return redis.evalsha(scripts.seed.sha, 2, account.keys[0], account.keys[1], ...seedArguments)
  }
  expect(await seed(30, 1)).toBe(0)
  expect(await redis.hgetall(account.keys[0])).toEqual({ s: '9', t: String(ticket) })
  expect([await seed(40), await seed(70)]).toEqual([1, 0])
  expect(await redis.hgetall(account.keys[0])).toEqual({ u: '4', s: '9', 'k:x': '6', g: String(START) })
  const reply = await decide(account, { u: 4, s: 9, k: 6, asked: 0, report: true, month: [100, 4e9, 5e9] })
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
  const account = await knownAccount()
  await decide(account, { asked: 1 })
  const merge = mergeOf(account)
  expect([await merge(), await merge()]).toEqual([0, 1])
  const reply = await decide(account, { asked: 0, report: true })
  expect(reply.slice(5, 10)).toEqual([3, 3, 3, 3, 3])
  expect(Object.values(await usageOf(account))).toEqual(['3'])
})

test('what a share admitted before the counters were seeded is in the seed: only its usage cells are added, once', async () => {
  const account = await knownAccount()
  await redis.hdel(account.keys[0], 'g')
  const merge = mergeOf(account)
  expect([await merge('m1'), await merge('m1')]).toEqual([2, 2])
  expect(Object.values(await usageOf(account))).toEqual(['2'])
  await redis.hset(account.keys[0], 'g', START + 1)
  expect([await merge('m1'), await merge('m1')]).toEqual([0, 1])
  expect(Object.values(await usageOf(account))).toEqual(['2'])
  const used = async () => (await decide(account, { asked: 0, report: true })).slice(5, 10)
  expect(await used()).toEqual([0, 0, 0, 0, 0])
  expect(await merge('m2', START + 2)).toBe(0)
  expect(await used()).toEqual([2, 2, 2, 2, 2])
  expect(Object.values(await usageOf(account))).toEqual(['4'])
})
