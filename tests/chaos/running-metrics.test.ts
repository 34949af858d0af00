import { createServer } from 'node:http'
import { once } from 'node:events'
import { createKeyFor, listTrades, send, signUpUser, usageOf } from '@tapeline/testing/api-client'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeFreePort } from '../../deploy/local/ports/free-port.ts'
import { readNames, readQueries, readRules, unknownMetrics } from '../../deploy/observability/read-metrics.ts'

const SERIES_MAX = 400
const READY_WITHIN_MS = 60_000
/** Eight processes with tracing on, in addition to the servers. */
const START_WITHIN_MS = 300_000
/** Ids, tokens and addresses: a label that could hold one has as many values as there are callers. */
const UNBOUNDED = /[0-9a-f]{8}-[0-9a-f]{4}-|tl_(live|test|svc)_|eyJ|@|\b[0-9a-f]{32}\b/

/** A span as a collector receives it. */
type ReceivedSpan = { traceId: string; service: string; name: string }
type Batch = {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] }
    scopeSpans: { spans: { traceId: string; name: string }[] }[]
  }[]
}
type Scraped = { process: string; text: string }

let platform: TestPlatform
let scraped: Scraped[] = []
let apiKey = ''
let token = ''
const spans: ReceivedSpan[] = []
const collector = createServer((request, response) => {
  request.setEncoding('utf8')
  let body = ''
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    spans.push(...spansIn(JSON.parse(body)))
    response.end('{}')
  })
})

beforeAll(async () => {
  const [adminPort, collectorPort] = [await takeFreePort(), await takeFreePort()]
  await once(collector.listen(collectorPort, '127.0.0.1'), 'listening')
  platform = await startTestPlatform({
    servers: process.env,
    env: {
      '*': { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}` },
      gateway: { ADMIN_PORT: String(adminPort) },
      'market-data': { SIMULATOR_HISTORY_HOURS: '1' },
    },
    only: ['config', 'identity', 'api-key', 'audit', 'market-data', 'gateway', 'mail'],
  })
  const account = await waitUntil('sign-up works', () => signUpUser(platform.gatewayUrl), READY_WITHIN_MS)
  token = account.jwtToken
  apiKey = (await createKeyFor(platform.gatewayUrl, token)).apiKey
  for (let n = 0; n < 5; n += 1) await listTrades(platform.gatewayUrl, apiKey)
  await send(`${platform.gatewayUrl}/api/v1/nowhere/${crypto.randomUUID()}`, { token: apiKey })
  await usageOf(platform.gatewayUrl, account.jwtToken)
  const urls = { ...platform.serviceUrls, gateway: `http://127.0.0.1:${adminPort}` }
  const areAllThere = async () => {
    scraped = await scrape(urls)
    return readNames().every((name) => namesIn(scraped).has(name))
  }
  // Some appear with the first event or the first commit of a consumer; a missing one fails its test.
  await waitUntil('every metric is reported', areAllThere, READY_WITHIN_MS).catch(() => {})
}, START_WITHIN_MS)
afterAll(async () => {
  await platform?.stop()
  collector.close()
})

const scrape = (urls: Record<string, string>): Promise<Scraped[]> =>
  Promise.all(
    Object.entries(urls).map(async ([name, url]) => ({
      process: name,
      text: await (await fetch(`${url}/metrics`)).text(),
    })),
  )
const linesOf = ({ text }: Scraped) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
const namesIn = (some: readonly Scraped[]) =>
  new Set(some.flatMap(({ text }) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)))

test('metrics.txt lists exactly the metrics of the processes of a running platform', () => {
  expect([...namesIn(scraped)].toSorted()).toEqual(readNames().toSorted())
})

test('dashboards and rules query only scraped metrics', () => {
  const names = namesIn(scraped)
  for (const { expr } of [...readQueries(), ...readRules()]) expect(unknownMetrics(expr, [...names]), expr).toEqual([])
})

test('every process reports rate, errors, duration and resource usage', () => {
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

test('labels are bounded: they contain no id, token or address, and each metric has few series', () => {
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

function spansIn({ resourceSpans }: Batch): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
    return scopeSpans.flatMap(({ spans: list }) => list.map(({ traceId, name }) => ({ traceId, service, name })))
  })
}

/** Waits for spans of a request whose names begin with these, and expects at least this many in all. */
async function expectTrace(
  requestId: string | null,
  expected: readonly string[],
  least = expected.length,
): Promise<void> {
  const spanNames = () =>
    spans.filter(({ traceId }) => traceId === requestId).map(({ service, name }) => `${service}: ${name}`)
  const isMissing = (one: string) => !spanNames().some((name) => name.startsWith(one))
  const isWhole = () => !expected.some(isMissing) && spanNames().length >= least
  await waitUntil('the trace of a request is whole', isWhole, READY_WITHIN_MS).catch(() => {})
  expect(expected.filter(isMissing), spanNames().join(', ')).toEqual([])
  expect(spanNames().length).toBeGreaterThanOrEqual(least)
}

test('a data request is one trace with its request id: gateway, service, table, and the counting by audit', async () => {
  // The requests before it may have used up this second's burst.
  const admitted = async () => {
    const answer = await listTrades(platform.gatewayUrl, apiKey)
    return answer.status === 200 ? answer : undefined
  }
  const { headers } = await waitUntil('a request is admitted', admitted, READY_WITHIN_MS)
  const id = headers.get('x-request-id')
  expect(headers.get('traceparent')).toBe(`00-${id}-${id?.slice(16)}-01`)
  const expected = [
    'tapeline-gateway: POST /api/v1/trades/list',
    'tapeline-market-data: POST /api/v1/trades/list',
    'tapeline-market-data: select',
    'tapeline-audit: apply usage.request-served.v1',
  ]
  await expect(expectTrace(id, expected)).resolves.toBeUndefined()
})

test('a change is one trace, through its table and Kafka to the audit trail', async () => {
  const url = `${platform.gatewayUrl}/api/v1/internal/api-keys`
  const { headers } = await send(url, { token, body: { name: 'traced' } })
  const expected = [
    'tapeline-gateway: POST /api/v1/internal/api-keys',
    'tapeline-api-key: POST /api/v1/internal/api-keys',
    'tapeline-api-key: insert api_key',
    'tapeline-audit: apply api-key.created.v1',
  ]
  await expect(expectTrace(headers.get('x-request-id'), expected, expected.length + 1)).resolves.toBeUndefined()
})

test('no span contains a secret, an e-mail address or an IP address', () => {
  const all = JSON.stringify(spans)
  for (const secret of [apiKey, token, apiKey.slice(21)]) expect(all).not.toContain(secret)
  expect(all).not.toContain('@example.com')
})
