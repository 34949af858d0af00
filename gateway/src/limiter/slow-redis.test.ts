import { silentLogger } from '@tapeline/testing/silent-logger'
import { mostInWindow } from '@tapeline/testing/usage/most-in-window'
import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import { testServers } from '@tapeline/testing/test-servers'
import { usageCellsOf } from '@tapeline/testing/usage/usage-cells'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { scripts } from './scripts/scripts.ts'
import { storeReady } from './redis/limiter-store.ts'
import { openLimiterStore } from './redis/open-limiter-store.ts'
import { LimiterGateway, LoggedAccount } from '../../test/limiter-gateway.fixture.ts'
import { type Delays, SlowConnection } from '../../test/slow-connection.fixture.ts'

// The limiter, its share and its merges on a real Redis, with a simulated clock and proxy: admitted requests are
// compared with an exact log. Healthy spells are shorter than 60 s, so all of a run is one outage.

const { redisUrl } = testServers()
const GATEWAYS = 2
const REPLY_WITHIN_MS = 50
const TICK_MS = 5
const REQUESTS = 40_000
const LIMITED = [
  { windowMs: 1_000, limit: 5, limits: { burstLimit: 5 } },
  { windowMs: 60_000, limit: 10, limits: { requestsPerMinute: 10 } },
  { windowMs: 60_000, limit: 60, limits: { requestsPerMinute: 60 } },
  { windowMs: 3_600_000, limit: 100, limits: { requestsPerHour: 100 } },
  { windowMs: 1_000, limit: 5, limits: {}, caps: { burstLimit: 5 } },
  { windowMs: 60_000, limit: 10, limits: {}, caps: { requestsPerMinute: 10 } },
  { windowMs: 3_600_000, limit: 100, limits: { requestsPerDay: 5_000 }, caps: { requestsPerHour: 100 } },
]

let redis: Redis
let gateways: LimiterGateway<SlowConnection>[]
let state = PROPERTY_SEED

function random(below: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((state / 2_147_483_648) * below)
}

beforeAll(() => {
  redis = new Redis(redisUrl)
})
afterAll(() => redis.disconnect())
beforeEach(async () => {
  const stores = await Promise.all(Array.from({ length: GATEWAYS }, () => openLimiterStore(redisUrl, silentLogger)))
  await Promise.all(stores.map((store) => storeReady(store, 60_000)))
  await Promise.all(stores.map((store) => store.loadScripts(Object.values(scripts))))
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance', 'Date'],
    now: Math.floor(Date.now() / 1_000) * 1_000,
  })
  const options = { gatewaysExpected: GATEWAYS, replyWithinMs: REPLY_WITHIN_MS, testClockMs: () => '0' }
  gateways = stores.map((store) => new LimiterGateway({ store: new SlowConnection(store), ...options }))
  // The scripts are loaded in real time, which takes longer on a busy machine.
  while (!gateways.every(({ limiter }) => limiter.connection.isUp)) await pass(100, () => undefined)
})
afterEach(() => {
  for (const gateway of gateways) gateway.stop()
  vi.useRealTimers()
})

async function account(...limits: ConstructorParameters<typeof LoggedAccount>): Promise<LoggedAccount> {
  const logged = new LoggedAccount(...limits)
  const mark = { [`c:${logged.key.key_id}`]: '1' }
  await redis.hset(`acct:{${logged.id}}`, { u: '1', s: '1', 'k:x': '1', g: '1', ...mark })
  return logged
}

/** Advances the time and calls `act` at each step. */
async function pass(forMs: number, act: () => void): Promise<void> {
  for (let ms = 0; ms < forMs; ms += TICK_MS) {
    vi.advanceTimersByTime(TICK_MS)
    act()
    for (const { limiter, store: wire } of gateways) {
      limiter.flush()
      await wire.step()
    }
    // Promises of merges and pings settle before time advances.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const HEALTHY: Delays = { upMs: () => random(3), downMs: () => random(3) }
const late = (ms: number): Delays => ({ upMs: () => 0, downMs: () => ms })
/** 0.3 s every 1.5 s. */
const stalling = (): Delays => ({ upMs: () => Math.max(0, 300 - (Date.now() % 1_500)), downMs: () => 1 })

function disturb({ store: wire }: LimiterGateway<SlowConnection>): number {
  const untilMs = Date.now() + 500 + random(12_000)
  const kinds: (() => Delays)[] = [
    () => HEALTHY,
    () => late([20, 60, 100, 300][random(4)] ?? 60),
    () => ({ upMs: () => random(80), downMs: () => random(200) }),
    stalling,
    () => ({ upMs: () => 0, downMs: () => untilMs - Date.now() }),
    () => {
      wire.cut(random(3_000))
      return HEALTHY
    },
  ]
  wire.delays = (kinds[random(kinds.length)] ?? stalling)()
  return untilMs
}

test(
  'with late, lost and merged replies, no window of an account or of a key admits more than its limit and one share per gateway',
  { timeout: 300_000 },
  async () => {
    const limited = await Promise.all(LIMITED.map(({ limits, caps }) => account(limits, caps)))
    const untilMs = gateways.map(() => 0)
    let requested = 0
    while (requested < REQUESTS) {
      await pass(1_000, () => {
        for (const [n, gateway] of gateways.entries()) {
          if (Date.now() >= (untilMs[n] ?? 0)) untilMs[n] = disturb(gateway)
          const count = random(15) === 0 ? 1 + random(12) : 0
          const logged = limited[random(limited.length)]
          for (let one = 0; one < count && logged !== undefined; one += 1) gateway.sendRequest(logged)
          requested += count
        }
      })
    }
    for (const { store: wire } of gateways) wire.delays = HEALTHY
    await pass(5_000, () => undefined)
    for (const [n, { windowMs, limit, caps }] of LIMITED.entries()) {
      const share = Math.max(1, Math.floor(limit / GATEWAYS))
      const most = mostInWindow(limited[n]?.admittedMs ?? [], windowMs)
      const name = `${limit} in ${windowMs} ms of ${caps === undefined ? 'the account' : 'the key'}`
      expect(most, name).toBeLessThanOrEqual(limit + GATEWAYS * share)
      expect(most, name).toBeGreaterThanOrEqual(limit)
    }
  },
)

const TEN_A_MINUTE = { requestsPerMinute: 10 }
const SLOW: [string, Delays][] = [
  ['20 ms late', late(20)],
  ['60 ms late', late(60)],
  ['100 ms late', late(100)],
  ['300 ms late', late(300)],
  ['stalled for 0.3 s every 1.5 s', stalling()],
]

test.each(SLOW)(
  'limits of an account and of a key that were full stay full when replies are %s, and usage cells are the answers of callers',
  async (_name, delays) => {
    const full = [await account(TEN_A_MINUTE), await account({}, TEN_A_MINUTE)]
    const admitted = () => full.map(({ admittedMs }) => admittedMs.length)
    for (const { store: wire } of gateways) wire.delays = HEALTHY
    const requestEvery = (every: number) => () => {
      for (const gateway of gateways) for (const logged of full) if (random(every) === 0) gateway.sendRequest(logged)
    }
    await pass(2_000, requestEvery(10))
    expect(admitted()).toEqual([10, 10])
    for (const { store: wire } of gateways) wire.delays = delays
    await pass(50_000, requestEvery(20))
    expect(admitted()).toEqual([10, 10])
    for (const { store: wire } of gateways) wire.delays = HEALTHY
    await pass(2_000, () => undefined)
    vi.useRealTimers()
    for (const logged of full) {
      expect(await usageCellsOf(redisUrl, logged.id)).toBe(logged.admittedMs.length + logged.denied)
    }
  },
)
