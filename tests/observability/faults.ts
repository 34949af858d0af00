import { send, signIn, type TestAccount } from '@tapeline/testing/api-client'
import { sendToUsageTopic } from '@tapeline/testing/kafka/usage-topic'
import type { TestPlatform } from '@tapeline/testing/test-platform'
import { addToMinute } from '@tapeline/testing/usage/add-to-minute'
import { startArrivals } from '@tapeline/testing/usage/traffic'
import { pause } from '../chaos/drill.ts'
import { hangFor } from '../chaos/signal-process.ts'
import type { FaultyUpstream } from './faulty-upstream.ts'
import { deleteNewestTiers, deleteSetting, insertInvalidSetting, insertInvalidTiers } from './stored-faults-queries.ts'

export type Scene = { platform: TestPlatform; account: TestAccount; apiKey: string; marketData: FaultyUpstream }
export type Fault = {
  name: string
  /** Alerts that this fault must cause. */
  fires: string[]
  /** The notifications that Alertmanager sends, if a page inhibits those of `fires`. */
  notifies?: string[]
  /** Slower alerts for the same objective, which fire if the fault lasts. */
  follows?: string[]
  /** The alert lasts until an operator acts, so the run does not wait for its resolution. */
  isLasting?: true
  /** Duration of a fault that causes no alert. */
  lastsMs?: number
  /** Maintains the fault until the signal is aborted, then repairs it. */
  cause: (scene: Scene, stopped: AbortSignal) => Promise<void>
}

const WRONG_KEYS_AT_ONCE = 25
const WRONG_KEYS_PAUSE_MS = 250
const SIGN_INS_AT_ONCE = 6
const SIGN_INS_PAUSE_MS = 500
const HANG_MS = 700
const HANG_PAUSE_MS = 300
/** 0.05 %, which the monthly budget allows, at a rate at which each window contains many requests. */
export const ONE_FAILED_IN = 2_000
const RARE_PER_SECOND = 100
const RARE_LASTS_MS = 120_000
const SLOW_MS = 300
/** Together with the constant load, more than IN_FLIGHT_MAX of the gateway, see GATEWAY_ENV. */
const OVERLOAD_PER_SECOND = 150
const OVERLOAD_SLOW_MS = 1_500
const IN_FLIGHT_MAX = 150
const MINUTE_MS = 60_000
/** For a difference this old, audit no longer waits for late usage events. */
const COMPARED_MS = 20 * MINUTE_MS
const REQUESTS_WITHOUT_ROWS = 3
const SETTING = 'system_config.maintenance'
const BUDGETS_OF_DATA = ['DataApiErrorsSlow', 'DataApiErrorsBudget', 'DataApiSlowFast', 'DataApiSlowBudget']

/** Environment of the gateway: two cores cannot reach the default bounds. */
export const GATEWAY_ENV = { IN_FLIGHT_MAX: String(IN_FLIGHT_MAX), UPSTREAM_CONNECTIONS_MAX: '400' }

export const FAULTS: Fault[] = [
  {
    name: 'one data request in two thousand fails',
    fires: [],
    lastsMs: RARE_LASTS_MS,
    async cause({ platform, apiKey, marketData }, stopped) {
      const load = startArrivals({ urls: platform.gatewayUrls, key: apiKey, perSecond: RARE_PER_SECOND })
      marketData.failOneIn(ONE_FAILED_IN)
      await aborted(stopped)
      marketData.failOneIn(undefined)
      await load.stop()
      if (marketData.failed() === 0) throw new Error('no request failed')
    },
  },
  { name: 'the gateway is killed', fires: ['GatewayDown'], cause: whileDown('gateway') },
  { name: 'audit is killed while it gets no calls', fires: ['ServiceDown'], cause: whileDown('audit') },
  {
    name: 'market-data is killed under load',
    fires: ['DataApiErrorsFast', 'ServiceDown', 'UpstreamOpen'],
    follows: BUDGETS_OF_DATA,
    cause: whileDown('market-data'),
  },
  {
    name: 'identity is killed while people sign in',
    fires: ['ServiceDown', 'SignInErrorsFast', 'UpstreamOpen'],
    cause: whileSigningIn(whileDown('identity')),
  },
  {
    name: 'PostgreSQL is killed under load',
    fires: ['DataApiErrorsFast'],
    follows: [...BUDGETS_OF_DATA, 'UpstreamOpen', 'ServiceDown'],
    cause: whileDown('postgres'),
  },
  { name: 'Redis is killed', fires: ['LimiterDegraded'], follows: ['UsageUnverified'], cause: whileDown('redis') },
  {
    name: 'wrong keys arrive, more than twenty a second',
    fires: ['WrongCredentials'],
    async cause({ platform }, stopped) {
      const url = `${platform.gatewayUrl}/api/v1/trades/list`
      const attempt = () => send(url, { token: 'tl_live_wrong', body: {} }).catch(() => undefined)
      while (!stopped.aborted) {
        await Promise.all(Array.from({ length: WRONG_KEYS_AT_ONCE }, attempt))
        await pause(WRONG_KEYS_PAUSE_MS)
      }
    },
  },
  {
    name: 'a service answers late, because its process is stopped for most of every second',
    fires: ['EventLoopLate'],
    async cause({ platform }, stopped) {
      while (!stopped.aborted) {
        await hangFor(platform, 'api-key', HANG_MS)
        await pause(HANG_PAUSE_MS)
      }
    },
  },
  {
    name: 'market-data answers late',
    fires: ['DataApiSlowFast'],
    follows: ['DataApiSlowBudget'],
    async cause({ marketData }, stopped) {
      marketData.delayBy(SLOW_MS)
      await aborted(stopped)
      marketData.delayBy(0)
    },
  },
  {
    name: 'more requests are open than a gateway accepts',
    fires: ['Overloaded', 'DataApiErrorsFast'],
    notifies: ['DataApiErrorsFast'],
    follows: BUDGETS_OF_DATA,
    async cause({ platform, apiKey, marketData }, stopped) {
      marketData.delayBy(OVERLOAD_SLOW_MS)
      const load = startArrivals({ urls: platform.gatewayUrls, key: apiKey, perSecond: OVERLOAD_PER_SECOND })
      await aborted(stopped)
      marketData.delayBy(0)
      await load.stop()
    },
  },
  {
    name: 'tier documents that are not valid are stored by hand',
    fires: ['TierDocumentsRefused'],
    async cause({ platform }, stopped) {
      await insertInvalidTiers(platform.databaseUrls.config)
      await aborted(stopped)
      await deleteNewestTiers(platform.databaseUrls.config)
    },
  },
  {
    name: 'the limiter counts requests that have no usage rows',
    fires: ['UsageDrift'],
    async cause({ platform, account }, stopped) {
      const minute = Math.floor((Date.now() - COMPARED_MS) / MINUTE_MS)
      await addToMinute(platform.addresses.redisUrl, {
        accountId: account.user.id,
        minute,
        requests: REQUESTS_WITHOUT_ROWS,
      })
      await aborted(stopped)
      await addToMinute(platform.addresses.redisUrl, {
        accountId: account.user.id,
        minute,
        requests: -REQUESTS_WITHOUT_ROWS,
      })
    },
  },
  {
    name: 'a message that is not an event reaches the usage topic',
    fires: ['DeadLetters'],
    isLasting: true,
    async cause({ platform }) {
      const { kafkaBrokers } = platform.addresses
      await sendToUsageTopic({ kafkaBrokers, topicPrefix: platform.topicPrefix }, [{ key: 'any', value: 'no event' }])
    },
  },
  {
    name: 'a setting of the wrong type is stored by hand',
    fires: ['SettingsRefused'],
    // Each process loads a new version within ten seconds. The shortened alert waits one second, so it can fire until all have it.
    follows: ['VersionsDiffer'],
    isLasting: true,
    async cause({ platform }, stopped) {
      await insertInvalidSetting(platform.databaseUrls.config, SETTING)
      await aborted(stopped)
      await deleteSetting(platform.databaseUrls.config, SETTING)
    },
  },
]

/** Kills a process or server with SIGKILL, and starts it again at the end of the fault. */
function whileDown(name: string): Fault['cause'] {
  return async ({ platform }, stopped) => {
    await platform.kill(name)
    try {
      await aborted(stopped)
    } finally {
      await platform.restart(name)
    }
  }
}

function whileSigningIn(cause: Fault['cause']): Fault['cause'] {
  return async (scene, stopped) => {
    const attempts = (async () => {
      const attempt = () => signIn(scene.platform.gatewayUrl, scene.account).catch(() => undefined)
      while (!stopped.aborted) {
        await Promise.all(Array.from({ length: SIGN_INS_AT_ONCE }, attempt))
        await pause(SIGN_INS_PAUSE_MS)
      }
    })()
    await cause(scene, stopped)
    await attempts
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
