import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CALL_REPORTS_PATH, type TracedCall } from '@tapeline/contracts/gateway/http'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'

type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string; kind: number }
type Batch = {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] }
    scopeSpans: { spans: Span[] }[]
  }[]
}

const HEALTH = '/api/v1/health'
const spans: (Span & { service: string | undefined })[] = []
const collector = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    for (const { resource, scopeSpans } of (JSON.parse(body) as Batch).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))))
    }
    response.end('{}')
  })
})
let edge: Edge
let gateway: TestGateway

beforeAll(async () => {
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  const { port } = collector.address() as AddressInfo
  edge = await startEdge()
  gateway = await startTestGateway(edge, { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
  collector.close()
})

const hex = (digit: string, times: number) => digit.repeat(times)
const traceparent = `00-${hex('a', 32)}-${hex('b', 16)}-01`
const call: TracedCall = {
  trace_id: hex('c', 32),
  span_id: hex('b', 16),
  method: 'GET',
  status: 200,
  duration_ms: 12.5,
  ended_ms_ago: 300,
}
const report = (body: unknown, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  fetch(gateway.url + CALL_REPORTS_PATH, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const send = async (headers: Record<string, string>) =>
  (await fetch(gateway.url + HEALTH, { headers })).headers.get('x-request-id') ?? ''
const spanOf = (traceId: string, service = 'tapeline-gateway') =>
  waitUntil(`a span of ${traceId} is there`, () =>
    spans.find((one) => one.traceId === traceId && one.service === service),
  )

test('a call of a browser is one trace with it: below its span, under the id that the gateway made', async () => {
  const requestId = await send({ traceparent, 'sec-fetch-site': 'same-origin' })
  expect(requestId).not.toBe(hex('a', 32))
  expect(await spanOf(requestId)).toMatchObject({ parentSpanId: hex('b', 16), spanId: requestId.slice(16) })
  const answer = await report({ calls: [{ ...call, trace_id: requestId }] })
  expect([answer.status, await answer.text()]).toEqual([204, ''])
  expect(await spanOf(requestId, 'tapeline-web')).toMatchObject({ spanId: hex('b', 16), name: 'GET', kind: 3 })
})

test('only a complete traceparent from a browser becomes the parent span', async () => {
  const requestIds = await Promise.all(
    [
      { traceparent },
      { 'sec-fetch-site': 'cross-site' },
      { traceparent: 'x'.repeat(55), 'sec-fetch-site': 'same-origin' },
      { traceparent: `00-${hex('a', 32)}-${hex('0', 16)}-01`, 'sec-fetch-site': 'same-site' },
    ].map((headers) => send(headers as Record<string, string>)),
  )
  for (const requestId of requestIds) expect((await spanOf(requestId)).parentSpanId).toBeUndefined()
})

test.each<[string, unknown, string]>([
  ['no calls', {}, '/calls'],
  ['an empty list', { calls: [] }, '/calls'],
  ['more than fifty', { calls: Array.from({ length: 51 }, () => call) }, '/calls'],
  ['an id that is none', { calls: [{ ...call, trace_id: 'mine' }] }, '/calls/0/trace_id'],
  ['a name of its own', { calls: [{ ...call, name: 'x' }] }, '/calls/0/name'],
  ['a method that is none', { calls: [{ ...call, method: 'TRACE' }] }, '/calls/0/method'],
  ['a time without end', { calls: [{ ...call, duration_ms: 1e12 }] }, '/calls/0/duration_ms'],
  ['a time that is none', { calls: [{ ...call, ended_ms_ago: null }] }, '/calls/0/ended_ms_ago'],
])('a report with %s is rejected with the field', async (_what, body, field) => {
  const answer = await report(body)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ code: 'request.invalid', errors: [{ field }] })
})

test('a report that is not JSON, too long, or sent by a form is rejected', async () => {
  expect((await report('{')).status).toBe(400)
  expect((await report('')).status).toBe(400)
  expect((await report({ calls: [call] }, { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await report({ calls: [{ ...call, pad: 'x'.repeat(20_000) }] })).status).toBe(413)
  expect((await fetch(gateway.url + CALL_REPORTS_PATH)).status).toBe(405)
})

test('reports are not traced themselves, and rejected reports are not exported', async () => {
  const last = hex('d', 32)
  await report({ calls: [{ ...call, trace_id: last }] })
  await spanOf(last, 'tapeline-web')
  expect(spans.filter(({ name }) => name.includes(CALL_REPORTS_PATH))).toEqual([])
  expect(spans.filter(({ service, traceId }) => service === 'tapeline-web' && traceId === call.trace_id)).toEqual([])
})

test('without tracing there is nothing to report to', async () => {
  const without = await startTestGateway(edge)
  try {
    const answer = await fetch(without.url + CALL_REPORTS_PATH, { method: 'POST', body: '{}' })
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'request.route_not_found' }])
  } finally {
    await without.stop()
  }
})
