import { type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http'
import { request as sendEncrypted } from 'node:https'
import { CALL_REPORTS_PATH, type TracedCall } from '@tapeline/contracts/gateway/http'
import type { Logger } from '@tapeline/service/logger'

/** The part of a request that its span shows: patterns instead of URLs, and nothing about the caller. */
export type TracedRequest = {
  readonly traceparent: string
  readonly request: Pick<IncomingMessage, 'headers' | 'method'>
  readonly route: { readonly pattern: string } | undefined
  readonly response: {
    readonly status: number
    readonly code: string | null
    readonly upstreamLatencyUs: number | null
  }
}
export type Spans = {
  add: (traced: TracedRequest, latencyMs: number) => void
  /** Calls as browsers timed them. */
  addCalls: (calls: readonly TracedCall[]) => void
  stop: () => Promise<void>
}

const EVERY_MS = 1_000
/** Bounds the memory while the collector is unavailable: later spans are dropped. */
const WAITING_MAX = 5_000
const TIMEOUT_MS = 5_000
const NANOS_PER_MS = 1_000_000
const SERVER = 2
const CLIENT = 3
const FAILED = 2
const TRACEPARENT = /^00-[0-9a-f]{32}-((?!0{16})[0-9a-f]{16})-01$/

/** One span per request, sent as OTLP over HTTP in JSON: no SDK, and nothing of this is loaded where tracing is off. */
export function exportSpans(endpoint: string, gatewayId: string, logger: Logger): Spans {
  const url = new URL('/v1/traces', endpoint)
  let waiting: object[] = []
  let waitingCalls: object[] = []
  let isUnavailable = false
  const flush = async (): Promise<void> => {
    const spans = [...waiting, ...waitingCalls]
    if (spans.length === 0) return
    const resourceSpans = [
      ...batchOf(waiting, 'tapeline-gateway', [text('service.instance.id', gatewayId)]),
      ...batchOf(waitingCalls, 'tapeline-web'),
    ]
    waiting = []
    waitingCalls = []
    try {
      await post(url, JSON.stringify({ resourceSpans }))
      if (isUnavailable) logger.info('tracing: the collector accepts spans again')
      isUnavailable = false
    } catch (err) {
      // Logged once per outage: tracing is not part of serving.
      if (!isUnavailable)
        logger.warn(
          { err, spans: spans.length },
          'tracing: the collector does not accept spans; they are dropped until it does',
        )
      isUnavailable = true
    }
  }
  const timer = setInterval(() => void flush(), EVERY_MS)
  timer.unref()
  return {
    add(traced, latencyMs) {
      if (waiting.length >= WAITING_MAX || traced.route?.pattern === CALL_REPORTS_PATH) return
      waiting.push(spanOf(traced, latencyMs))
    },
    addCalls(calls) {
      const room = WAITING_MAX - waitingCalls.length
      waitingCalls.push(...calls.slice(0, room).map(callSpanOf))
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

function spanOf({ traceparent, request, route, response }: TracedRequest, latencyMs: number): object {
  const { status, code, upstreamLatencyUs } = response
  const [, traceId, spanId] = traceparent.split('-')
  const endMs = Date.now()
  const pattern = route?.pattern ?? 'unknown'
  return {
    traceId,
    spanId,
    ...parentOf(request.headers),
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

/** The gateway names the trace; a browser's traceparent only names the parent span in it. */
function parentOf(headers: IncomingHttpHeaders): { parentSpanId?: string } {
  // Browsers set it, and no page can: other callers' spans go to collectors of their own.
  if (headers['sec-fetch-site'] === undefined) return {}
  const [, parentSpanId] = TRACEPARENT.exec(String(headers['traceparent'] ?? '')) ?? []
  return parentSpanId === undefined ? {} : { parentSpanId }
}

function callSpanOf({ trace_id, span_id, method, status, duration_ms, ended_ms_ago }: TracedCall): object {
  const endMs = Date.now() - ended_ms_ago
  return {
    traceId: trace_id,
    spanId: span_id,
    name: method,
    kind: CLIENT,
    startTimeUnixNano: nanos(endMs - duration_ms),
    endTimeUnixNano: nanos(endMs),
    attributes: [text('http.request.method', method), whole('http.response.status_code', status)],
    ...(status >= 400 ? { status: { code: FAILED } } : {}),
  }
}

function batchOf(spans: object[], service: string, more: object[] = []): object[] {
  if (spans.length === 0) return []
  const attributes = [text('service.name', service), ...more]
  return [{ resource: { attributes }, scopeSpans: [{ scope: { name: service }, spans }] }]
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
    // A response that is cut off has no `end` event.
    response.on('error', reject).resume()
    const { statusCode = 0 } = response
    const isTaken = statusCode >= 200 && statusCode < 300
    response.on('end', () => (isTaken ? resolve() : reject(new Error(`the collector returned ${statusCode}`))))
  })
  request.on('timeout', () => request.destroy(new Error('the collector took too long')))
  request.on('error', reject)
  request.end(body)
  return promise
}
