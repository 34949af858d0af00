import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { exportSpans, type TracedRequest } from './export-spans.ts'

const traced: TracedRequest = {
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  request: { method: 'GET', headers: {} },
  route: { pattern: '/api/v1/limits' },
  response: { status: 200, code: null, upstreamLatencyUs: null },
}

async function startCollector(answer: RequestListener) {
  const collector = createServer(answer).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => collector.close() }
}

test('a collector whose answer breaks off does not delay the end of the process', async () => {
  const collector = await startCollector((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-length': '10' }).write('{')
      request.socket.end()
    })
  })
  const spans = exportSpans(collector.url, 'gateway-1', silentLogger)
  spans.add(traced, 1)
  await expect(spans.stop()).resolves.toBeUndefined()
  collector.close()
})

test('a failing collector is logged once, and once more when it accepts spans again', async () => {
  let status = 503
  let requests = 0
  const collector = await startCollector((request, response) => {
    requests += 1
    request.resume().on('end', () => response.writeHead(status).end())
  })
  const logged: string[] = []
  const log = (first: unknown, text?: string): void => void logged.push(text ?? String(first))
  const logger = { ...silentLogger, warn: log, info: log } as typeof silentLogger
  const spans = exportSpans(collector.url, 'gateway-1', logger)
  const untilRequested = (times: number) =>
    waitUntil(`the collector received ${times} requests`, () => {
      if (requests < times) spans.add(traced, 1)
      return requests >= times
    })
  await untilRequested(2)
  status = 200
  await untilRequested(3)
  await spans.stop()
  await waitUntil('both messages are logged', () => logged.length === 2)
  expect(logged).toEqual([
    'tracing: the collector does not accept spans; they are dropped until it does',
    'tracing: the collector accepts spans again',
  ])
  collector.close()
})
