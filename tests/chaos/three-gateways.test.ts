import { emptyRedis } from '@tapeline/testing/redis/lose-redis'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AT_ONCE, prepareChanges, type PreparedChanges } from '../limits/prepare-changes.ts'
import { UNAVAILABLE, watchChange, type WatchOptions } from '../limits/watch-change.ts'
import { restartRedisDuringTraffic } from './drills/redis-restarted.ts'

const TRIALS = 3
const RATE = { perSecond: 30, openMax: 12 }
const PAUSED = 'gateway-3'
/** Long timeout, so that a busy machine is not mistaken for a hanging Redis. */
const LONG_REPLY_TIMEOUT = { LIMITER_REPLY_WITHIN_MS: '1000' }

let platform: TestPlatform
let changes: PreparedChanges

beforeAll(async () => {
  // A separate Redis, because it is emptied; the other servers may be shared.
  const servers = { ...process.env, REDIS_URL: '' }
  platform = await startTestPlatform({
    gateways: 3,
    isRestarting: false,
    env: { gateway: LONG_REPLY_TIMEOUT, 'market-data': { SIMULATOR_HISTORY_HOURS: '1' } },
    servers,
  })
  const { gatewayUrl, databaseUrls, addresses } = platform
  changes = await prepareChanges({
    gatewayUrl,
    identityDatabaseUrl: databaseUrls.identity,
    configDatabaseUrl: databaseUrls.config,
    redisUrl: addresses.redisUrl,
  })
})
afterAll(async () => {
  await changes?.end()
  await platform?.stop()
})

async function expectNothingLate(name: string, options: Partial<WatchOptions>): Promise<void> {
  const { gatewayUrls } = platform
  const watched = await watchChange(changes.named(name), { gatewayUrls, trials: TRIALS, rate: RATE, ...options })
  for (const { step, late, odd, asked } of watched) {
    expect(late, step).toEqual([])
    expect(Object.keys(odd).filter((state) => !UNAVAILABLE.includes(state))).toEqual([])
    expect(asked, step).toBeGreaterThan(0)
  }
  expect(watched.reduce((sum, { proven }) => sum + proven, 0)).toBeGreaterThan(0)
}

test.each(AT_ONCE)('%s, then all data in Redis is lost: no request uses the previous state', async (name) => {
  const { redisUrl } = platform.addresses
  await expectNothingLate(name, { afterChange: () => emptyRedis(redisUrl) })
})

test.each(AT_ONCE)('%s while a gateway is stopped: after resuming, it uses the current state', async (name) => {
  const signal = (signalName: NodeJS.Signals) => () => {
    const pid = platform.processes.find((one) => one.name === PAUSED)?.pid()
    if (pid === undefined) throw new Error(`${PAUSED} does not run`)
    process.kill(pid, signalName)
  }
  await expectNothingLate(name, { beforeChange: signal('SIGSTOP'), duringRequests: signal('SIGCONT') })
})

test('Redis killed and restarted during a test: every window admits at most its limit plus one share per gateway', async () => {
  for (const { policy, most, atMost, requests } of await restartRedisDuringTraffic(platform)) {
    expect(most, policy).toBeLessThanOrEqual(atMost)
    expect(requests, policy).toBeGreaterThan(atMost)
  }
})
