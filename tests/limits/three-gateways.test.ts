import { createKeyFor, listTrades, signUpUser, usageOf } from '@tapeline/testing/api-client'
import { maxOverlap, mostInWindow } from '@tapeline/testing/usage/most-in-window'
import { setLimits } from '@tapeline/testing/set-subscription'
import { startTraffic, type TrafficLog } from '@tapeline/testing/usage/traffic'
import { type UsageRow, usageRowsOf } from '@tapeline/testing/usage/usage-rows'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { untilSeeded } from '../platform/until-seeded.ts'

const platform = runningPlatform()
const { gatewayUrl, gatewayUrls, auditDatabaseUrl } = platform
const CLIENTS = 200
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/** The limiter's clock has millisecond resolution: a request may have begun this much after the time of its event. */
const CLOCK_STEP_MS = 1
const WITHIN_MS = 60_000
/** Answers of a busy machine: no answer of the limiter, and a missed deadline. */
const UNAVAILABLE: readonly number[] = [503, 504]

type Storm = { log: TrafficLog; rows: UsageRow[]; token: string }
type Counts = { served: number; denied: number }

const countsOf = ({ answered }: TrafficLog): Counts => ({
  served: answered.filter(({ status }) => status === 200).length,
  denied: answered.filter(({ status }) => status === 429).length,
})

/** 200 clients at three gateways with one key, on an account in which only the given limit binds. */
async function storm(limits: Partial<RateLimits>, isEnough: (counts: Counts) => boolean): Promise<Storm> {
  const { jwtToken: token, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, limits)
  const { apiKey } = await createKeyFor(gatewayUrl, token)
  await untilSeeded(gatewayUrls, apiKey)
  const traffic = startTraffic({ urls: gatewayUrls, key: apiKey, clients: CLIENTS, pauseMs: 20 })
  await waitUntil('enough requests are answered', () => isEnough(countsOf(traffic.log)), WITHIN_MS)
  const log = await traffic.stop()
  expect(log.broken).toBe(0)
  const decided = log.answered.filter(({ status }) => !UNAVAILABLE.includes(status))
  const allRows = async () => {
    const found = await usageRowsOf(auditDatabaseUrl, user.id)
    const ids = new Set(found.map(({ requestId }) => requestId))
    return decided.every(({ requestId }) => ids.has(requestId)) ? found : undefined
  }
  const rows = await waitUntil('every answered request is counted', allRows, WITHIN_MS)
  return { log, rows, token }
}

const statuses = ({ answered }: TrafficLog) =>
  [...new Set(answered.map(({ status }) => status))]
    .filter((status) => !UNAVAILABLE.includes(status))
    .toSorted((a, b) => a - b)
const admitted = (rows: UsageRow[]) => rows.filter(({ verdict }) => verdict === 'admitted')
/** Without those that a gateway admitted by its share, because Redis was slow on a busy machine. */
function admittedByRedis({ log, rows }: Storm): UsageRow[] {
  const byShare = new Set(log.answered.flatMap(({ isDegraded, requestId }) => (isDegraded ? [requestId] : [])))
  return admitted(rows).filter(({ requestId }) => !byShare.has(requestId))
}

test('burst: never more requests than the limit in any rolling second', async () => {
  const limit = 40
  const all = await storm({ burstLimit: limit }, ({ served, denied }) => served >= 4 * limit && denied > 0)
  const times = admittedByRedis(all).map(({ timeMs }) => timeMs)
  expect(mostInWindow(times, SECOND_MS)).toBeLessThanOrEqual(limit)
  expect(statuses(all.log)).toEqual([200, 429])
})

test('minute: exactly the limit is admitted, a denied request consumes nothing, and all sources report the same numbers', async () => {
  const limit = 150
  const all = await storm({ requestsPerMinute: limit }, ({ denied }) => denied > 2 * limit)
  const { log, rows, token } = all
  const times = admitted(rows).map(({ timeMs }) => timeMs)
  const timesOfRedis = admittedByRedis(all).map(({ timeMs }) => timeMs)
  expect(mostInWindow(times, MINUTE_MS)).toBeGreaterThanOrEqual(limit)
  expect(mostInWindow(timesOfRedis, MINUTE_MS)).toBeLessThanOrEqual(limit)
  const unavailable = log.answered.filter(({ status }) => UNAVAILABLE.includes(status)).length
  expect(times.length - countsOf(log).served).toBeGreaterThanOrEqual(0)
  expect(times.length - countsOf(log).served).toBeLessThanOrEqual(unavailable)
  const denied = log.answered.filter(({ status }) => status === 429)
  for (const { body } of [denied[0], denied.at(-1)].flatMap((one) => one ?? [])) {
    expect(JSON.parse(body)).toMatchObject({ status: 429, code: 'limit.minute_exceeded' })
  }
  const report = await reportOf(token, log.answered.length - unavailable)
  const isInMinute = Date.now() - (times[0] ?? 0) < MINUTE_MS
  expect(report).toMatchObject({ success: countsOf(log).served, denied: denied.length })
  const { peak = 0, ...window } = report.limits.find(({ policy }) => policy === 'min') ?? {}
  expect(window).toMatchObject({ limit, used: isInMinute ? times.length : expect.any(Number) })
  expect([peak >= limit, peak <= times.length]).toEqual([true, true])
})

/** The dashboard's numbers when it has this many requests; those of a busy machine may be counted besides. */
function reportOf(token: string, requests: number): Promise<UsageReport> {
  return waitUntil(
    'the dashboard has them all',
    async () => {
      const usage = await usageOf(gatewayUrl, token)
      return usage.success + usage.denied >= requests ? usage : undefined
    },
    WITHIN_MS,
  )
}

test('concurrency: never more requests than the limit, across all gateways', async () => {
  const limit = 6
  const all = await storm(
    { concurrentRequests: limit },
    ({ served, denied }) => served > 10 * limit && denied > 10 * limit,
  )
  const spans = admittedByRedis(all).flatMap(({ timeMs, upstreamLatencyMs }) =>
    upstreamLatencyMs === null ? [] : [{ fromMs: timeMs, toMs: timeMs + upstreamLatencyMs - CLOCK_STEP_MS }],
  )
  expect(maxOverlap(spans)).toBeLessThanOrEqual(limit)
  expect(statuses(all.log)).toEqual([200, 429])
})

test('a strictly sequential free client is never rejected for concurrency, at any gateway', async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, { concurrentRequests: 1 })
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken)
  await untilSeeded(gatewayUrls, apiKey)
  for (let n = 0; n < 300; n += 1) {
    const { status, body } = await listTrades(gatewayUrls[n % gatewayUrls.length] ?? '', apiKey)
    expect([200, ...UNAVAILABLE], JSON.stringify(body)).toContain(status)
  }
})

test('the headers, the body and the dashboard of a rejected request have the same values', async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, { requestsPerMinute: 3 })
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken)
  await untilSeeded([gatewayUrl], apiKey)
  const beganMs = Date.now()
  for (let n = 0; n < 3; n += 1) expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  const refused = await listTrades(gatewayUrl, apiKey)
  const elapsedS = (Date.now() - beganMs) / SECOND_MS
  expect(refused.status).toBe(429)
  expect(refused.headers.get('ratelimit')).toMatch(/"min";r=0;t=\d+/)
  expect(refused.headers.get('ratelimit-policy')).toContain('"min";q=3;w=60')
  expect(refused.headers.get('x-ratelimit-limit')).toBe('3')
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(58 - elapsedS)
  expect(wait).toBeLessThanOrEqual(61)
  const report = await reportOf(jwtToken, 4)
  expect(report).toMatchObject({ success: 3, denied: 1 })
  const used = Date.now() - beganMs < MINUTE_MS ? 3 : expect.any(Number)
  expect(report.limits.find(({ policy }) => policy === 'min')).toMatchObject({ limit: 3, used, peak: 3 })
})
