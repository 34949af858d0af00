import { usageOf } from '@tapeline/testing/api-client'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { startTraffic, type TrafficLog } from '@tapeline/testing/traffic'
import { usageCellsOf } from '@tapeline/testing/usage-cells'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCountedOnce, newDrill } from './drill.ts'

const CLIENTS = 8
const KILLS = 3
const PAUSE_MS = 10
/** A busy machine must not look like a Redis that hangs: what is stopped here is stopped for good. */
const PATIENT = { LIMITER_REPLY_WITHIN_MS: '1000' }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform({ gateways: 2, isRestarting: false, env: { gateway: PATIENT } })
})
afterAll(() => platform?.stop())

/** Answers of one kind of status, by status. */
function count({ answered }: TrafficLog): Record<number, number> {
  return Object.fromEntries(
    [...Map.groupBy(answered, ({ status }) => status)].map(([status, list]) => [status, list.length]),
  )
}

type Outcome = {
  answered: number
  rows: number
  broken: number
  shown: number
  cells: number
  statuses: Record<number, number>
}

async function killDuringTraffic(name: string): Promise<Outcome> {
  const drill = await newDrill(platform)
  const traffic = startTraffic({ urls: platform.gatewayUrls, key: drill.apiKey, clients: CLIENTS, pauseMs: PAUSE_MS })
  for (let n = 0; n < KILLS; n += 1) {
    await pause(500 + 200 * n)
    await platform.kill(name)
    await pause(300)
    await platform.restart(name)
  }
  await pause(1_000)
  const log = await traffic.stop()
  const rows = await expectCountedOnce(platform, drill, log)
  const usage = await waitUntil('the dashboard has every row', async () => {
    const report = await usageOf(platform.gatewayUrl, drill.token)
    return report.total === rows.length ? report : undefined
  })
  const answered = log.answered.length
  const cells = await usageCellsOf(platform.addresses.redisUrl, drill.accountId)
  return { answered, rows: rows.length, broken: log.broken, shown: usage.total, cells, statuses: count(log) }
}

test.each([
  ['a gateway', 'gateway-2'],
  ['audit', 'audit'],
  ['the broker', 'kafka'],
])('%s killed three times loses no answered request and counts none twice', async (_what, name) => {
  const { answered, rows, broken, shown, cells, statuses } = await killDuringTraffic(name)
  expect(answered).toBeGreaterThan(100)
  expect(statuses).toEqual({ 200: answered })
  expect(shown).toBe(rows)
  // What was counted but not fully answered was in flight when something was killed.
  expect(rows - answered).toBeLessThanOrEqual(Math.min(broken, KILLS * CLIENTS))
  expect(Math.abs(cells - rows)).toBeLessThanOrEqual(KILLS * CLIENTS)
})

test('with Kafka away for ten seconds every request is answered and nothing is lost', async () => {
  const drill = await newDrill(platform)
  const traffic = startTraffic({ urls: platform.gatewayUrls, key: drill.apiKey, clients: 4, pauseMs: 20 })
  await pause(500)
  await platform.kill('kafka')
  await pause(10_000)
  await platform.restart('kafka')
  const log = await traffic.stop()
  expect(log.broken).toBe(0)
  expect(count(log)).toEqual({ 200: log.answered.length })
  await expectCountedOnce(platform, drill, log)
})

test('with Redis stopped there is no 5xx, answers say that they are degraded, and all are counted', async () => {
  const drill = await newDrill(platform)
  const traffic = startTraffic({ urls: platform.gatewayUrls, key: drill.apiKey, clients: 4, pauseMs: 20 })
  await pause(1_000)
  const stoppedMs = Date.now()
  await platform.kill('redis')
  await pause(3_000)
  const backMs = Date.now()
  await platform.restart('redis')
  await pause(3_000)
  const log = await traffic.stop()
  const during = log.answered.filter(({ startMs, endMs }) => startMs > stoppedMs + 500 && endMs < backMs)
  expect(during.length).toBeGreaterThan(20)
  expect(during.filter(({ isDegraded }) => !isDegraded)).toEqual([])
  expect(log.answered.filter(({ status }) => status >= 500)).toEqual([])
  expect(log.broken).toBe(0)
  expect(log.answered.at(-1)).toMatchObject({ isDegraded: false, status: 200 })
  await expectCountedOnce(platform, drill, log)
})
