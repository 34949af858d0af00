import { createServer } from 'node:http'
import type { ComponentStatus, PlatformStatus } from '@tapeline/contracts/audit/status'
import { callAs } from '@tapeline/testing/call-as'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import { probePlatform } from './probe-platform.ts'
import { sumTraffic } from './sum-traffic.ts'
import { unknownKey, withChecksum } from './unknown-key.ts'

const { app, db, deps, clock, ago, record, close } = await openTestApp('2026-03-10T12:34:56.789Z')
/** Status code by path that the probed gateway returns. */
const answers = new Map<string, number>()
const probed: string[] = []
const gateway = createServer((request, reply) => {
  probed.push(`${request.method} ${request.url}`)
  reply.writeHead(answers.get(request.url ?? '') ?? 200).end('{}')
})
let gatewayUrl = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const address = gateway.address()
  gatewayUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
})
afterAll(async () => {
  gateway.close()
  await close()
})

const HOUR_MS = 3_600_000
const DAY = 1_440
const MINUTE_MS = 60_000
const CACHED_MS = 10_000

/** The public status, after the cached one has expired. */
async function status(): Promise<PlatformStatus> {
  clock.nowMs += CACHED_MS
  const answer = await callAs(app, 'audit', { kind: 'anonymous' }, { method: 'GET', url: '/api/v1/status' })
  expect(answer.json()).toMatchObject({ success: true })
  return answer.json().data
}
const part = ({ components }: PlatformStatus, name: string): ComponentStatus => {
  const found = components.find(({ component }) => component === name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}

test('without measurements there is a reason instead of a number', async () => {
  const { availability, components, latency } = await status()
  expect([availability, latency.p50_ms, latency.count]).toEqual([null, null, 0])
  expect(latency.not_measured).toBe('No counted request was answered in the last 24 hours.')
  for (const { state, availability: share, not_measured, days } of components) {
    expect([state, share, days.length]).toEqual(['not_measured', null, 90])
    expect(not_measured).toMatch(/reach/)
    expect(days.every((day) => day.availability === null && day.requests === 0)).toBe(true)
  }
})

test('errors are counted per day from real requests; denied and aborted ones are not errors', async () => {
  const one = { at: ago(10), latency_us: 4_000 }
  await record(
    ...Array.from({ length: 6 }, () => usageEvent(one)),
    usageEvent({ ...one, status: 404, outcome: 'client_error' }),
    usageEvent({ ...one, status: 502, outcome: 'server_error', latency_us: 40_000 }),
    usageEvent({ ...one, status: 499, outcome: 'aborted' }),
    deniedUsageEvent(one),
    usageEvent({ ...one, route: '/api/v1/health' }),
    usageEvent({ at: ago(DAY), status: 502, outcome: 'server_error' }),
  )
  await sumTraffic(deps, 30)
  await sumTraffic(deps, 30)
  const platform = await status()
  const data = part(platform, 'market-data')
  expect(data.state).toBe('degraded')
  expect(data.days.slice(-2)).toEqual([
    { day: '2026-03-09', requests: 1, errors: 1, probes: 0, failed_probes: 0, availability: 0 },
    { day: '2026-03-10', requests: 8, errors: 1, probes: 0, failed_probes: 0, availability: 0.875 },
  ])
  expect(data).toMatchObject({ availability: 0.777778, not_measured: null })
  expect(part(platform, 'gateway')).toMatchObject({ state: 'up', availability: 1 })
  expect(part(platform, 'identity').availability).toBeNull()
  expect(platform.availability).toBe(0.777778)
  const { histogram, count, p99_ms } = platform.latency
  expect([count, histogram.reduce((sum, bucket) => sum + bucket.count, 0)]).toEqual([10, 10])
  expect(histogram).toContainEqual({ up_to_ms: 5, count: 9 })
  expect(histogram).toContainEqual({ up_to_ms: 50, count: 1 })
  expect(p99_ms).toBeGreaterThan(3.9)
})

test('the prober requests every public component, and a status below 500 is up', async () => {
  answers.set('/api/v1/internal/user/refresh', 401)
  answers.set('/api/v1/internal/subscription/pricing', 502)
  answers.set('/api/v1/limits', 401)
  await probePlatform({ ...deps, gatewayUrl })
  expect(probed.toSorted()).toEqual([
    'GET /api/v1/health',
    'GET /api/v1/internal/subscription/pricing',
    'GET /api/v1/limits',
    'GET /api/v1/sample',
    'GET /api/v1/status',
    'POST /api/v1/internal/user/refresh',
  ])
  // The same minute reported again is the same probe.
  await probePlatform({ ...deps, gatewayUrl })
  let platform = await status()
  expect(part(platform, 'identity')).toMatchObject({ state: 'up', availability: 1 })
  expect(part(platform, 'config')).toMatchObject({ state: 'down', availability: 0 })
  expect(part(platform, 'api-key')).toMatchObject({ state: 'up', availability: 1 })
  answers.set('/api/v1/internal/subscription/pricing', 429)
  clock.nowMs += MINUTE_MS
  await probePlatform({ ...deps, gatewayUrl })
  answers.set('/api/v1/internal/subscription/pricing', 200)
  clock.nowMs += MINUTE_MS
  await probePlatform({ ...deps, gatewayUrl })
  platform = await status()
  expect(part(platform, 'config')).toMatchObject({ state: 'up', availability: 0.5 })
  expect(part(platform, 'config').days.at(-1)).toMatchObject({ probes: 2, failed_probes: 1 })
  expect(part(platform, 'identity').days.at(-1)).toMatchObject({ probes: 3, failed_probes: 0 })
})

test("the prober's keys have a valid form and checksum, and none is used twice", () => {
  const [one, two] = [unknownKey(), unknownKey()]
  expect(one).not.toBe(two)
  expect(withChecksum(one.slice(0, one.lastIndexOf('_')))).toBe(one)
  expect(withChecksum('tl_live_0123456789ab_0123456789abcdef0123456789abcdef')).toMatch(/_1K1AAX$/)
})

test('when the gateway does not respond, only the gateway has failed', async () => {
  clock.nowMs += HOUR_MS
  const before = await status()
  await probePlatform({ ...deps, gatewayUrl: 'http://127.0.0.1:1' })
  const after = await status()
  expect(part(after, 'gateway')).toMatchObject({ state: 'down' })
  expect(part(after, 'config').days).toEqual(part(before, 'config').days)
  clock.nowMs += 3 * HOUR_MS
  expect(part(await status(), 'gateway').state).toBe('not_measured')
  await probePlatform({ ...deps, gatewayUrl: '' })
  expect(part(await status(), 'gateway').state).toBe('not_measured')
})

test('the response is cached for ten seconds', async () => {
  const first = await status()
  await db.deleteFrom('status_probe').execute()
  const get = () => callAs(app, 'audit', { kind: 'anonymous' }, { method: 'GET', url: '/api/v1/status' })
  expect((await get()).json().data).toEqual(first)
  expect((await status()).as_of).not.toBe(first.as_of)
})
