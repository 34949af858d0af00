import { afterAll, beforeAll, expect, test } from 'vitest'
import { admitted, decide, knownAccount, loadScripts, MINUTE, redis, START, usageOf } from './limiter-under-test.ts'

// decide.lua against an exact log, with a clock of its own: never more than the log over the window admits, never less
// than the log over window + one cell admits, and who waits as told is admitted.

const WINDOWS = [
  { ms: 1_000, cellMs: 100 },
  { ms: 60_000, cellMs: 1_000 },
  { ms: 3_600_000, cellMs: 60_000 },
  { ms: 86_400_000, cellMs: 900_000 },
]
const SEED = 7
const RUNS = 6
const STEPS = 300

beforeAll(loadScripts)
afterAll(() => redis.disconnect())

test('random traffic over bursts, pauses and days is decided as by an exact log', { timeout: 60_000 }, async () => {
  const random = seeded(SEED)
  let denials = 0
  for (let run = 0; run < RUNS; run += 1) {
    const account = await knownAccount()
    const limits = [1 + random(20), 1 + random(60), 1 + random(200), 1 + random(500)]
    const log: number[] = []
    let now = START + random(1e9)
    for (let step = 0; step < STEPS; step += 1) {
      now += pause(random)
      const asked = random(10) === 0 ? 1 + random(6) : 1
      const reply = await decide(account, { now, asked, limits: [...limits, 1e9, 1e6] })
      const got = admitted(reply)
      const most = room(log, now, limits, 0)
      expect(got, `run ${run} step ${step}`).toBeLessThanOrEqual(Math.min(asked, most))
      expect(got, `run ${run} step ${step}`).toBeGreaterThanOrEqual(Math.min(asked, room(log, now, limits, 1)))
      for (let n = 0; n < got; n += 1) log.push(now)
      if (got === asked) continue
      denials += 1
      now += reply[4] ?? 0
      const again = await decide(account, { now, limits: [...limits, 1e9, 1e6] })
      expect(admitted(again), `run ${run} step ${step}: the wait was wrong`).toBe(1)
      log.push(now)
    }
  }
  expect(denials).toBeGreaterThan(100)
})

/** Requests that may still be admitted by the log over each window plus so many cells. */
function room(log: number[], now: number, limits: number[], cells: number): number {
  const rooms = WINDOWS.map(({ ms, cellMs }, n) => {
    const from = now - ms - cells * cellMs
    return (limits[n] ?? 0) - log.filter((at) => at > from).length
  })
  return Math.max(0, Math.min(...rooms))
}

function pause(random: (below: number) => number): number {
  const kind = random(100)
  if (kind < 60) return random(150)
  if (kind < 85) return random(3_000)
  return kind < 97 ? random(400_000) : random(2e7)
}

function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test('a denied request leaves everything untouched but its cell', async () => {
  const account = await knownAccount()
  const limits = [1, 10, 10, 10, 10, 10]
  await decide(account, { limits })
  const before = [await redis.getBuffer(account.keys[1]), await redis.zrange(account.keys[2], '0', '-1')]
  const reply = await decide(account, { limits })
  expect([admitted(reply), reply[3]]).toEqual([0, 1])
  expect([await redis.getBuffer(account.keys[1]), await redis.zrange(account.keys[2], '0', '-1')]).toEqual(before)
  expect(await usageOf(account)).toEqual({ [`${MINUTE}:x:admitted`]: '1', [`${MINUTE}:x:denied`]: '1' })
})

test('a local refusal counts in its own cell and nowhere else', async () => {
  const account = await knownAccount()
  expect(await decide(account, { asked: 0, refused: 2 })).toEqual([0, START])
  expect(await usageOf(account)).toEqual({ [`${MINUTE}:x:refused`]: '2' })
  expect(await redis.exists(account.keys[1], account.keys[2])).toBe(0)
})

test('looking at the windows costs nothing and says what is used', async () => {
  const account = await knownAccount()
  await decide(account, { asked: 3 })
  const reply = await decide(account, { asked: 0, report: true, now: START + 50 })
  expect(reply.slice(5, 11)).toEqual([3, 3, 3, 3, 3, 3])
  const leaves = WINDOWS.map(({ ms, cellMs }) => Math.floor(START / cellMs) * cellMs + cellMs + ms - (START + 50))
  expect(reply.slice(11, 15)).toEqual(leaves)
  expect(await redis.zcard(account.keys[2])).toBe(3)
})

test('requests that came together are admitted up to the limit that binds first', async () => {
  const account = await knownAccount()
  const reply = await decide(account, { asked: 7, limits: [100, 100, 100, 5, 100, 100] })
  expect([admitted(reply), reply[3]]).toEqual([5, 8])
  expect(await redis.zcard(account.keys[2])).toBe(5)
})

test('concurrency is a lease each: given back, and freed when it runs out', async () => {
  const account = await knownAccount()
  const limits = [9, 9, 9, 9, 9, 1]
  expect(admitted(await decide(account, { limits, leases: ['a'] }))).toBe(1)
  const full = await decide(account, { limits, leases: ['b'] })
  expect([admitted(full), full[3]]).toEqual([0, 32])
  await redis.zrem(account.keys[2], 'a')
  expect(admitted(await decide(account, { limits, leases: ['c'] }))).toBe(1)
  expect(admitted(await decide(account, { limits, leases: ['d'], now: START + 9_999 }))).toBe(0)
  expect(admitted(await decide(account, { limits, leases: ['d'], now: START + 10_000 }))).toBe(1)
})

test('a new month begins by the clock of the script, and counters of windows go on', async () => {
  const account = await knownAccount()
  const end = START / 1_000 + 10
  const month: [number, number, number] = [START / 1_000 - 100, end, end + 2_592_000]
  const limits = [9, 9, 9, 9, 2, 9]
  expect(admitted(await decide(account, { limits, month, asked: 2 }))).toBe(2)
  const denied = await decide(account, { limits, month, now: START + 4_000 })
  expect([admitted(denied), denied[3], denied[4]]).toEqual([0, 16, 6_000])
  const next = await decide(account, { limits, month, now: START + 10_000 })
  expect([admitted(next), next[9], next[6]]).toEqual([1, 0, 2])
})

test('a clock that went back stays on the newest cell', async () => {
  const account = await knownAccount()
  const limits = [2, 9, 9, 9, 9, 9]
  expect(admitted(await decide(account, { limits, asked: 2 }))).toBe(2)
  expect(admitted(await decide(account, { limits, now: START - 5_000 }))).toBe(0)
})
