import { send, signIn, type TestAccount } from '@tapeline/testing/api-client'
import { sendToUsageTopic } from '@tapeline/testing/kafka/usage-topic'
import type { TestPlatform } from '@tapeline/testing/test-platform'
import { startArrivals } from '@tapeline/testing/usage/traffic'
import { pause } from '../chaos/drill.ts'
import { hangFor } from '../chaos/signal-process.ts'
import type { FailingShare } from './failing-share.ts'

export type Scene = { platform: TestPlatform; account: TestAccount; apiKey: string; share: FailingShare }
export type Fault = {
  name: string
  /** Alerts that this fault must cause. */
  fires: string[]
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
const BUDGETS_OF_DATA = ['DataApiErrorsSlow', 'DataApiErrorsBudget', 'DataApiSlowFast', 'DataApiSlowBudget']

export const FAULTS: Fault[] = [
  {
    name: 'one data request in two thousand fails',
    fires: [],
    lastsMs: RARE_LASTS_MS,
    async cause({ platform, apiKey, share }, over) {
      const load = startArrivals({ urls: platform.gatewayUrls, key: apiKey, perSecond: RARE_PER_SECOND })
      share.setOneIn(ONE_FAILED_IN)
      await aborted(over)
      share.setOneIn(undefined)
      await load.stop()
      if (share.failed() === 0) throw new Error('no request failed')
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
    name: 'a message that is not an event reaches the usage topic',
    fires: ['DeadLetters'],
    isLasting: true,
    async cause({ platform }) {
      const { kafkaBrokers } = platform.addresses
      await sendToUsageTopic({ kafkaBrokers, topicPrefix: platform.topicPrefix }, [{ key: 'any', value: 'no event' }])
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
