import type { CreatedKey, KeyLimits } from '@tapeline/contracts/api-key/http'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { send, signUpUser } from '@tapeline/testing/api-client'
import { mostInWindow } from '@tapeline/testing/usage/most-in-window'
import { setLimits } from '@tapeline/testing/set-subscription'
import { startTraffic, type TrafficLog } from '@tapeline/testing/usage/traffic'
import { type UsageRow, usageRowsOf } from '@tapeline/testing/usage/usage-rows'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { untilSeeded } from '../platform/until-seeded.ts'

const platform = runningPlatform()
const { gatewayUrl, gatewayUrls, auditDatabaseUrl } = platform
const LIMIT = 60
const CLIENTS = 24
const PAUSE_MS = 10
const WITHIN_MS = 60_000
const HOUR_MS = 3_600_000

type Traffic = { log: TrafficLog; rows: UsageRow[] }

/** Sends far more requests than the limits allow, with one key, to three gateways; only the given limits can bind. */
async function exceedLimits(limits: Partial<RateLimits>, ofTheKey: KeyLimits | null = null): Promise<Traffic> {
  const { jwtToken: token, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, limits)
  const body = { name: 'one of many', rate_limits: ofTheKey }
  const created = await send<{ data: CreatedKey }>(`${gatewayUrl}/api/v1/internal/api-keys`, { token, body })
  expect(created.status).toBe(201)
  const { apiKey } = created.body.data
  await untilSeeded(gatewayUrls, apiKey)
  const traffic = startTraffic({ urls: gatewayUrls, key: apiKey, clients: CLIENTS, pauseMs: PAUSE_MS })
  await waitUntil('many more requests are answered', () => traffic.log.answered.length > 4 * LIMIT, WITHIN_MS)
  const log = await traffic.stop()
  const rows = await waitUntil(
    'every answer is counted',
    async () => {
      const found = await usageRowsOf(auditDatabaseUrl, user.id)
      const ids = new Set(found.map(({ requestId }) => requestId))
      return log.answered.every(({ status, requestId }) => status === 503 || ids.has(requestId)) ? found : undefined
    },
    WITHIN_MS,
  )
  return { log, rows }
}

function expectExactly({ log, rows }: Traffic, { windowMs, code }: { windowMs: number; code: string }): void {
  const admittedMs = rows.flatMap(({ verdict, timeMs }) => (verdict === 'admitted' ? [timeMs] : []))
  // If counters do not load in time on a busy machine, each gateway uses its share and marks the responses as degraded.
  const byShare = log.answered.filter(({ status, isDegraded }) => status === 200 && isDegraded).length
  expect(byShare).toBeLessThanOrEqual(gatewayUrls.length * Math.ceil(LIMIT / gatewayUrls.length))
  expect(mostInWindow(admittedMs, windowMs)).toBeGreaterThanOrEqual(LIMIT)
  expect(mostInWindow(admittedMs, windowMs)).toBeLessThanOrEqual(LIMIT + byShare)
  const denied = log.answered.filter(({ status }) => status === 429)
  expect(denied.length).toBeGreaterThan(LIMIT)
  expect(denied.map(({ body }) => body).every((body) => body.includes(code))).toBe(true)
}

test.each([
  ['hour', 'requestsPerHour', HOUR_MS],
  ['day', 'requestsPerDay', 24 * HOUR_MS],
  ['month', 'requestsPerMonth', 31 * 24 * HOUR_MS],
] as const)('%s: exactly the limit is admitted over all gateways', async (window, name, windowMs) => {
  expectExactly(await exceedLimits({ [name]: LIMIT }), { windowMs, code: `limit.${window}_exceeded` })
})

test.each([
  ['minute', 'requestsPerMinute', 60_000],
  ['day', 'requestsPerDay', 24 * HOUR_MS],
] as const)("a key's own cap per %s: exactly that is admitted over all gateways", async (window, name, windowMs) => {
  expectExactly(await exceedLimits({}, { [name]: LIMIT }), { windowMs, code: `limit.${window}_exceeded` })
})
