import { keyShadowFields } from '@tapeline/service/account-versions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Account,
  admitted,
  commandsOf,
  decide,
  KEY_ID,
  keyShadowOf,
  seededAccount,
  accountWithSeededKey,
  loadScripts,
  redis,
  shadowOf,
  START,
  UNLIMITED,
} from '../../../test/limiter-scripts.fixture.ts'

// Caps that are proposed for a key, and the waiting times of shadow limits. Comparison with an exact log: decide.test.ts.

const NO_CAP = 4_294_967_295
const MARK = 'bbbbbbb1'
const perMinute = (limit: number) => [NO_CAP, limit, NO_CAP, NO_CAP, NO_CAP, NO_CAP]
const proposed = (limits: number[], mark = MARK) => ({ mark, limits })
beforeAll(loadScripts)
afterAll(() => redis.disconnect())

test('proposed caps cost one write and no read, and no write when they deny; the strings are no longer', async () => {
  const account = await seededAccount()
  const keyShadow = proposed(perMinute(2))
  await decide(account, { keyShadow })
  const counted = await commandsOf(account, () => decide(account, { keyShadow, now: START + 150 }))
  expect(counted).toEqual(['HMGET', 'GET', 'ZCARD', 'SETRANGE', 'SETRANGE', 'ZADD', 'HINCRBY', 'HSET'])
  const denied = await commandsOf(account, () => decide(account, { keyShadow, now: START + 160 }))
  expect(denied).toEqual(['HMGET', 'GET', 'ZCARD', 'SETRANGE', 'ZADD', 'HINCRBY'])
  expect(await redis.strlen(account.keys[1])).toBe(1_008)
  expect(await redis.exists(...account.keysOfKey)).toBe(0)
  const fields = keyShadowFields(KEY_ID)
  expect(await Promise.all(fields.map((field) => redis.hstrlen(account.keys[0], field)))).toEqual([372, 632])
})

test('requests that proposed caps deny are admitted', async () => {
  const account = await seededAccount()
  const reply = await decide(account, { requested: 3, keyShadow: proposed(perMinute(2)) })
  expect([admitted(reply), keyShadowOf(reply, 3)]).toEqual([3, { admitted: 2, mask: 2, waitMs: 61_000 }])
  expect(shadowOf(reply, 3)).toEqual({ admitted: 3, mask: 0, waitMs: 0 })
})

test('proposed caps are evaluated whatever the caps in force decide', async () => {
  const account = await accountWithSeededKey()
  const both = { caps: perMinute(1), keyShadow: proposed(perMinute(3)), requested: 2 }
  const first = await decide(account, both)
  expect([admitted(first), keyShadowOf(first, 2, true).admitted]).toEqual([1, 2])
  const second = await decide(account, { ...both, now: START + 5_000 })
  expect([admitted(second), keyShadowOf(second, 2, true)]).toEqual([0, { admitted: 1, mask: 2, waitMs: 56_000 }])
})

test('shadow limits of the tier and proposed caps of the key are evaluated independently', async () => {
  const account = await seededAccount()
  const decideBoth = async (ofTier: number, ofKey: number, requested: number) => {
    const shadow = { mark: 'aaaaaaa1', limits: [1e9, ofTier, 1e9, 1e9, 1e9, 1e6] }
    const reply = await decide(account, { requested, shadow, keyShadow: proposed(perMinute(ofKey)) })
    return [admitted(reply), shadowOf(reply, requested).admitted, keyShadowOf(reply, requested).admitted]
  }
  expect(await decideBoth(4, 2, 3)).toEqual([3, 3, 2])
  expect(await decideBoth(4, 2, 3)).toEqual([3, 1, 0])
  const other = await seededAccount()
  const tierOnly = { shadow: { mark: 'aaaaaaa1', limits: [1e9, 2, 1e9, 1e9, 1e9, 1e6] } }
  await decide(other, { ...tierOnly, keyShadow: proposed(perMinute(9)) })
  const alone = await decide(other, { ...tierOnly, requested: 2 })
  expect(shadowOf(alone, 2)).toMatchObject({ admitted: 1, mask: 2 })
})

test('a proposal that another one replaces begins with empty windows', async () => {
  const account = await seededAccount()
  const admittedFor = async (mark: string) =>
    keyShadowOf(await decide(account, { requested: 2, keyShadow: proposed(perMinute(2), mark) }), 2).admitted
  expect([
    await admittedFor(MARK),
    await admittedFor(MARK),
    await admittedFor('bbbbbbb2'),
    await admittedFor('bbbbbbb2'),
  ]).toEqual([2, 0, 2, 0])
})

const openMax = (limit: number) => proposed([NO_CAP, NO_CAP, NO_CAP, NO_CAP, NO_CAP, limit])

async function deniesThird(account: Account, caps?: (number | '')[]): Promise<unknown[]> {
  const decideWith = async (lease: string, now = START) => {
    const reply = await decide(account, { keyShadow: openMax(2), leases: [lease], now, ...(caps && { caps }) })
    return keyShadowOf(reply, 1, caps !== undefined)
  }
  const verdicts = [await decideWith('a'), await decideWith('b'), await decideWith('c', START + 10)]
  await redis.zrem(account.keysOfKey[1], 'b', 'c')
  return [...verdicts, await decideWith('d', START + 20)].map(({ mask }) => mask)
}

test('a proposed cap of concurrency is compared with the open requests of the key', async () => {
  expect(await deniesThird(await seededAccount())).toEqual([0, 0, 32, 0])
  expect(await deniesThird(await accountWithSeededKey(), [...UNLIMITED.slice(0, 5), ''])).toEqual([0, 0, 32, 0])
  expect(await deniesThird(await accountWithSeededKey(), UNLIMITED)).toEqual([0, 0, 32, 0])
})

test('leases of a gateway that ended do not count for long', async () => {
  const account = await seededAccount()
  const maskAt = async (now: number) => {
    const reply = await decide(account, { keyShadow: openMax(1), leases: [`l${now}`], now })
    return keyShadowOf(reply, 1).mask
  }
  expect([await maskAt(START), await maskAt(START + 9_999), await maskAt(START + 20_000)]).toEqual([0, 32, 0])
})

test('a denied request waits for the last of the limits that deny it, also long after the burst', async () => {
  const account = await seededAccount()
  const keyShadow = proposed([NO_CAP, 5, 5, NO_CAP, NO_CAP, NO_CAP])
  await decide(account, { requested: 5, keyShadow })
  await decide(account, { keyShadow, now: START + 3_000 })
  const waits: number[] = []
  for (const afterS of [10, 50, 1_800, 1_801]) {
    const reply = await decide(account, { keyShadow, now: START + afterS * 1_000 })
    waits.push(afterS * 1_000 + keyShadowOf(reply, 1).waitMs)
  }
  const freeAtMs = (Math.floor(START / 60_000) + 61) * 60_000 - START
  expect(waits).toEqual([freeAtMs, freeAtMs, freeAtMs, freeAtMs])
  const [early, late] = [freeAtMs - 1, freeAtMs]
  expect(keyShadowOf(await decide(account, { keyShadow, now: START + early }), 1)).toMatchObject({ waitMs: 1 })
  expect(keyShadowOf(await decide(account, { keyShadow, now: START + late }), 1)).toMatchObject({ admitted: 1 })
})

test('the end of a long denial is searched for once and then read', async () => {
  const account = await seededAccount()
  const keyShadow = proposed([NO_CAP, NO_CAP, NO_CAP, 2, NO_CAP, NO_CAP])
  await decide(account, { requested: 1, keyShadow })
  await decide(account, { requested: 1, keyShadow, now: START + 900_000 })
  const at = (hours: number) => ({ keyShadow, now: START + hours * 3_600_000 })
  const writes = async (hours: number) => (await commandsOf(account, () => decide(account, at(hours)))).includes('HSET')
  expect([await writes(5), await writes(6), await writes(7)]).toEqual([true, false, false])
  const freeAtMs = (Math.floor(START / 900_000) + 97) * 900_000 - START
  expect(keyShadowOf(await decide(account, at(8)), 1).waitMs).toBe(freeAtMs - 8 * 3_600_000)
})

test('a month that is used up frees with the next month', async () => {
  const account = await seededAccount()
  const keyShadow = proposed([NO_CAP, NO_CAP, NO_CAP, NO_CAP, 1, NO_CAP])
  const month: [number, number, number] = [START / 1_000 - 100, START / 1_000 + 50, START / 1_000 + 3e6]
  await decide(account, { keyShadow, month })
  const denied = await decide(account, { keyShadow, month, now: START + 2_000 })
  expect(keyShadowOf(denied, 1)).toEqual({ admitted: 0, mask: 16, waitMs: 48_000 })
  expect(keyShadowOf(await decide(account, { keyShadow, month, now: START + 50_000 }), 1).admitted).toBe(1)
})
