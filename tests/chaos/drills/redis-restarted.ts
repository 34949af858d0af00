import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { mostInWindow } from '@tapeline/testing/usage/most-in-window'
import { setLimits } from '@tapeline/testing/set-subscription'
import type { TestPlatform } from '@tapeline/testing/test-platform'
import { startTraffic } from '@tapeline/testing/usage/traffic'
import { usageRowsOf } from '@tapeline/testing/usage/usage-rows'
import { waitUntil } from '@tapeline/testing/wait-until'

/** One account bound by this limit only, and the requests admitted to it around a restart of Redis. */
export type WindowOutcome = {
  policy: string
  limit: number
  /** Admitted in the fullest window, by the limiter's clock. */
  most: number
  /** The limit, one share of the rest per gateway, and the seconds that Redis may lose. */
  atMost: number
  requests: number
}
export type Window = { policy: string; windowMs: number; limit: number; limits: Partial<RateLimits> }

const LIMIT = 60
const BURST = 15
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
/** Redis saves each second, on a busy machine somewhat later. */
const UNSAVED_MS = 2_000
const CLIENTS = 6
const PAUSE_MS = 30
const WITHIN_MS = 60_000
/** A 503 of the gateway itself (an owner did not answer in time) is not counted. */
const COUNTED = new Set([200, 429])

export const WINDOWS: readonly Window[] = [
  { policy: 'burst', windowMs: 1_000, limit: BURST, limits: { burstLimit: BURST } },
  { policy: 'min', windowMs: MINUTE_MS, limit: LIMIT, limits: { requestsPerMinute: LIMIT } },
  { policy: 'hour', windowMs: 60 * MINUTE_MS, limit: LIMIT, limits: { requestsPerHour: LIMIT } },
  { policy: 'day', windowMs: DAY_MS, limit: LIMIT, limits: { requestsPerDay: LIMIT } },
  { policy: 'month', windowMs: 31 * DAY_MS, limit: LIMIT, limits: { requestsPerMonth: LIMIT } },
]

/** Kills Redis when about half of every limit is used, restarts it, and sends more requests than remain. */
export async function restartRedisDuringTraffic(platform: TestPlatform): Promise<WindowOutcome[]> {
  const watched = await Promise.all(WINDOWS.map((window) => watch(platform, window)))
  const accepted = (answered: { status: number }[]) => answered.filter(({ status }) => status === 200).length
  await waitUntil(
    'half of every limit is used',
    () => watched.every(({ traffic, window }) => accepted(traffic.log.answered) >= window.limit / 2),
    WITHIN_MS,
  )
  await platform.kill('redis')
  const killedMs = Date.now()
  await platform.restart('redis')
  await waitUntil(
    'requests exceed the remaining quota',
    () => watched.every(({ traffic, window }) => traffic.log.answered.length > 5 * window.limit),
    WITHIN_MS,
  )
  return Promise.all(watched.map((one) => outcomeOf(platform, one, killedMs)))
}

type Watching = { window: Window; accountId: string; traffic: ReturnType<typeof startTraffic> }

async function watch({ gatewayUrl, gatewayUrls, databaseUrls, addresses }: TestPlatform, window: Window) {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  const { redisUrl } = addresses
  await setLimits({ configDatabaseUrl: databaseUrls.config, redisUrl }, user.id, window.limits)
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken)
  const traffic = startTraffic({ urls: gatewayUrls, key: apiKey, clients: CLIENTS, pauseMs: PAUSE_MS })
  return { window, accountId: user.id, traffic }
}

async function outcomeOf(
  { databaseUrls, gatewayUrls }: TestPlatform,
  { window: { policy, windowMs, limit }, accountId, traffic }: Watching,
  killedMs: number,
): Promise<WindowOutcome> {
  const log = await traffic.stop()
  const answered = log.answered.filter(({ status }) => COUNTED.has(status))
  const rows = await waitUntil(
    'every counted answer has its row',
    async () => {
      const found = await usageRowsOf(databaseUrls.audit, accountId)
      const ids = new Set(found.map(({ requestId }) => requestId))
      return answered.every(({ requestId }) => ids.has(requestId)) ? found : undefined
    },
    WITHIN_MS,
  )
  const times = rows.flatMap(({ verdict, timeMs }) => (verdict === 'admitted' ? [timeMs] : []))
  const uncounted = times.filter((ms) => ms > killedMs - UNSAVED_MS && ms <= killedMs).length
  const used = times.filter((ms) => ms > killedMs - windowMs && ms <= killedMs - UNSAVED_MS).length
  const shares = gatewayUrls.length * Math.max(1, Math.ceil((limit - used) / gatewayUrls.length))
  return {
    policy,
    limit,
    most: mostInWindow(times, windowMs),
    atMost: limit + shares + uncounted,
    requests: answered.length,
  }
}
