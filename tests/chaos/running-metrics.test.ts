import { createKeyFor, listTrades, send, signUpSomebody, usageOf } from '@tapeline/testing/api-client'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeFreePort } from '../../deploy/local/free-port.ts'
import { readNames, readQueries, readRules, unknownMetrics } from '../../deploy/observability/read-metrics.ts'

const SERIES_MAX = 400
const READY_WITHIN_MS = 60_000
/** Ids, tokens and addresses: a label that could hold one has as many values as there are callers. */
const UNBOUNDED = /[0-9a-f]{8}-[0-9a-f]{4}-|tl_(live|test)_|eyJ|@|\b[0-9a-f]{32}\b/

type Scraped = { process: string; text: string }

let platform: TestPlatform
let scraped: Scraped[] = []

beforeAll(async () => {
  const adminPort = await takeFreePort()
  platform = await startTestPlatform({
    servers: process.env,
    env: { gateway: { ADMIN_PORT: String(adminPort) } },
    only: ['config', 'identity', 'api-key', 'audit', 'market-data', 'gateway', 'mail'],
  })
  const account = await waitUntil('somebody can sign up', () => signUpSomebody(platform.gatewayUrl), READY_WITHIN_MS)
  const { apiKey } = await createKeyFor(platform.gatewayUrl, account.jwtToken)
  for (let n = 0; n < 5; n += 1) await listTrades(platform.gatewayUrl, apiKey)
  await send(`${platform.gatewayUrl}/api/v1/nowhere/${crypto.randomUUID()}`, { token: apiKey })
  await usageOf(platform.gatewayUrl, account.jwtToken)
  const urls = { ...platform.serviceUrls, gateway: `http://127.0.0.1:${adminPort}` }
  scraped = await Promise.all(
    Object.entries(urls).map(async ([name, url]) => ({
      process: name,
      text: await (await fetch(`${url}/metrics`)).text(),
    })),
  )
})
afterAll(() => platform?.stop())

const linesOf = ({ text }: Scraped) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
const namesIn = (some: readonly Scraped[]) =>
  new Set(some.flatMap(({ text }) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)))

test('metrics.txt is what the processes of a running platform say, name by name', () => {
  expect([...namesIn(scraped)].toSorted()).toEqual(readNames().toSorted())
})

test('every query of a dashboard and every rule asks only for what was scraped', () => {
  const names = namesIn(scraped)
  for (const { expr } of [...readQueries(), ...readRules()]) expect(unknownMetrics(expr, [...names]), expr).toEqual([])
})

test('every process tells rate, errors and duration, and what it uses', () => {
  for (const one of scraped) {
    const names = namesIn([one])
    const duration =
      one.process === 'gateway' ? 'gateway_request_duration_seconds' : 'http_server_request_duration_seconds'
    expect(names, one.process).toContain(duration)
    expect(names, one.process).toContain('process_resident_memory_bytes')
    expect(names, one.process).toContain('process_cpu_seconds_total')
    if (one.process !== 'gateway') expect(names, one.process).toContain('kafka_consumer_lag_messages')
  }
})

test('labels are bounded: no id, token or address in them, and few series of each metric', () => {
  for (const one of scraped) {
    const lines = linesOf(one)
    expect(
      lines.filter((line) => UNBOUNDED.test(line.split('} ')[0] ?? '')),
      one.process,
    ).toEqual([])
    const counts = Map.groupBy(lines, (line) => /^\w+/.exec(line)?.[0] ?? '')
    for (const [name, series] of counts) expect(series.length, `${one.process} ${name}`).toBeLessThan(SERIES_MAX)
  }
})
