import { request as send } from 'node:http'
import { request as sendEncrypted } from 'node:https'
import type { Logger } from '@tapeline/service/logger'
import type { Exchange } from './exchange.ts'

export type Spans = { add: (exchange: Exchange, latencyMs: number) => void; stop: () => Promise<void> }

const EVERY_MS = 1_000
/** What a collector that is away or slow may cost: later spans are not kept. */
const WAITING_MAX = 5_000
const TIMEOUT_MS = 5_000
const NANOS_PER_MS = 1_000_000
const SERVER = 2
const FAILED = 2

/** One span per request, sent as OTLP over HTTP in JSON: no SDK, and nothing of this is loaded where tracing is off. */
export function exportSpans(endpoint: string, gatewayId: string, logger: Logger): Spans {
  const url = new URL('/v1/traces', endpoint)
  let waiting: object[] = []
  let isAway = false
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return
    const spans = waiting
    waiting = []
    try {
      await post(url, JSON.stringify(batchOf(spans, gatewayId)))
      if (isAway) logger.info('the collector takes spans again')
      isAway = false
    } catch (err) {
      // Said once, not every second: tracing is no part of serving.
      if (!isAway)
        logger.warn({ err, spans: spans.length }, 'the collector does not take spans; they are lost until it does')
      isAway = true
    }
  }
  const timer = setInterval(() => void flush(), EVERY_MS)
  timer.unref()
  return {
    add(exchange, latencyMs) {
      if (waiting.length < WAITING_MAX) waiting.push(spanOf(exchange, latencyMs))
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** Patterns instead of addresses, and nothing of who asked. */
function spanOf({ traceparent, request, route, status, code, upstreamLatencyUs }: Exchange, latencyMs: number): object {
  const [, traceId, spanId] = traceparent.split('-')
  const endMs = Date.now()
  const pattern = route?.pattern ?? 'unknown'
  return {
    traceId,
    spanId,
    name: `${request.method} ${pattern}`,
    kind: SERVER,
    startTimeUnixNano: nanos(endMs - latencyMs),
    endTimeUnixNano: nanos(endMs),
    attributes: [
      text('http.request.method', request.method ?? ''),
      text('http.route', pattern),
      whole('http.response.status_code', status),
      ...(code === null ? [] : [text('error.type', code)]),
      ...(upstreamLatencyUs === null ? [] : [whole('tapeline.upstream_us', upstreamLatencyUs)]),
    ],
    ...(status >= 500 ? { status: { code: FAILED } } : {}),
  }
}

function batchOf(spans: object[], gatewayId: string): object {
  const attributes = [text('service.name', 'tapeline-gateway'), text('service.instance.id', gatewayId)]
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'tapeline-gateway' }, spans }] }] }
}

function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * BigInt(NANOS_PER_MS / 1_000))
}

function text(key: string, stringValue: string): object {
  return { key, value: { stringValue } }
}

function whole(key: string, value: number): object {
  return { key, value: { intValue: String(value) } }
}

function post(url: URL, body: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const open = url.protocol === 'https:' ? sendEncrypted : send
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, timeout: TIMEOUT_MS }
  const request = open(url, options, (response) => {
    response.resume()
    const { statusCode = 0 } = response
    const isTaken = statusCode >= 200 && statusCode < 300
    response.on('end', () => (isTaken ? resolve() : reject(new Error(`the collector answered ${statusCode}`))))
  })
  request.on('timeout', () => request.destroy(new Error('the collector took too long')))
  request.on('error', reject)
  request.end(body)
  return promise
}
