import { usageOf } from '@tapeline/testing/api-client'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { startTraffic, type TrafficLog } from '@tapeline/testing/traffic'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCountedOnce, newDrill } from './drill.ts'

const CLIENTS = 8
const KILLS = 3
const PAUSE_MS = 10
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform({ gateways: 2, isRestarting: false })
})
afterAll(() => platform?.stop())

/** Answers of one kind of status, by status. */
function count({ answered }: TrafficLog): Record<number, number> {
  return Object.fromEntries(
    [...Map.groupBy(answered, ({ status }) => status)].map(([status, list]) => [status, list.length]),
  )
}

async function killDuringTraffic(name: string): Promise<void> {
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
  expect(log.answered.length).toBeGreaterThan(100)
  expect(count(log)).toEqual({ 200: log.answered.length })
  const rows = await expectCountedOnce(platform, drill, log)
  // What was counted but not fully answered was in flight when something was killed.
  expect(rows.length - log.answered.length).toBeLessThanOrEqual(log.broken)
  expect(rows.length - log.answered.length).toBeLessThanOrEqual(KILLS * CLIENTS)
  const usage = await waitUntil('the dashboard has every row', async () => {
    const report = await usageOf(platform.gatewayUrl, drill.token)
    return report.total === rows.length ? report : undefined
  })
  expect(usage.total).toBe(rows.length)
}

test('a gateway killed three times loses no answered request and counts none twice', async () => {
  await killDuringTraffic('gateway-2')
})

test('audit killed three times loses no answered request and counts none twice', async () => {
  await killDuringTraffic('audit')
})

test('the broker killed three times loses no answered request and counts none twice', async () => {
  await killDuringTraffic('kafka')
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
