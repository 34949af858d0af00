import { createKeyFor, listTrades, signUpUser, usageOf } from '@tapeline/testing/api-client'
import { maxOverlap, mostInWindow } from '@tapeline/testing/usage/most-in-window'
import { setLimits } from '@tapeline/testing/set-subscription'
import { startTraffic, type TrafficLog } from '@tapeline/testing/usage/traffic'
import { type UsageRow, usageRowsOf } from '@tapeline/testing/usage/usage-rows'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const { gatewayUrl, gatewayUrls, auditDatabaseUrl } = platform
const CLIENTS = 200
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/** The limiter's clock has millisecond resolution: a request may have begun this much after the time of its event. */
const CLOCK_STEP_MS = 1

type Storm = { log: TrafficLog; rows: UsageRow[]; token: string }

/** 200 clients at three gateways with one key, on an account in which only the given limit binds. */
async function storm(limits: Partial<RateLimits>, durationMs: number): Promise<Storm> {
  const { jwtToken: token, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, limits)
  const { apiKey } = await createKeyFor(gatewayUrl, token)
  const traffic = startTraffic({ urls: gatewayUrls, key: apiKey, clients: CLIENTS, pauseMs: 20 })
  await new Promise((resolve) => setTimeout(resolve, durationMs))
  const log = await traffic.stop()
  expect(log.broken).toBe(0)
  const rows = await waitUntil(
    'every answered request is counted',
    async () => {
      const found = await usageRowsOf(auditDatabaseUrl, user.id)
      return found.length >= log.answered.length ? found : undefined
    },
    30_000,
  )
  return { log, rows, token }
}

const statuses = ({ answered }: TrafficLog) =>
  [...new Set(answered.map(({ status }) => status))].toSorted((a, b) => a - b)
const admitted = (rows: UsageRow[]) => rows.filter(({ verdict }) => verdict === 'admitted')

test('burst: never more requests than the limit in any rolling second', async () => {
  const limit = 40
  const { log, rows } = await storm({ burstLimit: limit }, 4_000)
  const times = admitted(rows).map(({ timeMs }) => timeMs)
  expect(mostInWindow(times, SECOND_MS)).toBeLessThanOrEqual(limit)
  expect(times.length).toBeGreaterThanOrEqual(3 * limit)
  expect(statuses(log)).toEqual([200, 429])
})

test('minute: exactly the limit is admitted, a denied request consumes nothing, and all sources report the same numbers', async () => {
  const limit = 150
  const { log, rows, token } = await storm({ requestsPerMinute: limit }, 3_000)
  const times = admitted(rows).map(({ timeMs }) => timeMs)
  expect(times).toHaveLength(limit)
  expect(mostInWindow(times, MINUTE_MS)).toBe(limit)
  expect(log.answered.filter(({ status }) => status === 200)).toHaveLength(limit)
  const denied = log.answered.filter(({ status }) => status === 429)
  expect(denied.length).toBeGreaterThan(limit)
  for (const { body } of [denied[0], denied.at(-1)].flatMap((one) => one ?? [])) {
    expect(JSON.parse(body)).toMatchObject({ status: 429, code: 'limit.minute_exceeded' })
  }
  const report = await waitUntil('the dashboard has them all', async () => {
    const usage = await usageOf(gatewayUrl, token)
    return usage.total === log.answered.length ? usage : undefined
  })
  expect(report).toMatchObject({ success: limit, denied: denied.length })
  expect(report.limits.find(({ policy }) => policy === 'min')).toMatchObject({ limit, used: limit, peak: limit })
})

test('concurrency: never more requests than the limit, across all gateways', async () => {
  const limit = 6
  const { log, rows } = await storm({ concurrentRequests: limit }, 3_000)
  const spans = admitted(rows).flatMap(({ timeMs, upstreamLatencyMs }) =>
    upstreamLatencyMs === null ? [] : [{ fromMs: timeMs, toMs: timeMs + upstreamLatencyMs - CLOCK_STEP_MS }],
  )
  expect(maxOverlap(spans)).toBeLessThanOrEqual(limit)
  expect(statuses(log)).toEqual([200, 429])
  expect(log.answered.filter(({ status }) => status === 200).length).toBeGreaterThan(3 * limit)
})

test('a strictly sequential free client is never rejected for concurrency, at any gateway', async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, { concurrentRequests: 1 })
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken)
  for (let n = 0; n < 300; n += 1) {
    const { status, body } = await listTrades(gatewayUrls[n % gatewayUrls.length] ?? '', apiKey)
    expect(status, JSON.stringify(body)).toBe(200)
  }
})

test('the headers, the body and the dashboard of a rejected request have the same values', async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, { requestsPerMinute: 3 })
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken)
  for (let n = 0; n < 3; n += 1) expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  const refused = await listTrades(gatewayUrl, apiKey)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('ratelimit')).toMatch(/"min";r=0;t=\d+/)
  expect(refused.headers.get('ratelimit-policy')).toContain('"min";q=3;w=60')
  expect(refused.headers.get('x-ratelimit-limit')).toBe('3')
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(50)
  expect(wait).toBeLessThanOrEqual(61)
  const report = await waitUntil('four requests are counted', async () => {
    const usage = await usageOf(gatewayUrl, jwtToken)
    return usage.total === 4 ? usage : undefined
  })
  expect(report).toMatchObject({ success: 3, denied: 1 })
  expect(report.limits.find(({ policy }) => policy === 'min')).toMatchObject({ limit: 3, used: 3, peak: 3 })
})
