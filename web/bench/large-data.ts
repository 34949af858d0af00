import type { UsagePoint, UsageReport } from '@tapeline/contracts/audit/http'
import type { LoggedRequest, RequestPage } from '@tapeline/contracts/audit/requests'

const START_MS = Date.UTC(2026, 0, 1)
const MINUTE_MS = 60_000
const STATUSES = [200, 200, 200, 200, 429, 200, 400, 200, 503, 200] as const

/** As many minutes with an uneven latency and some failures. */
export function longUsage(points: number): UsageReport {
  const series = Array.from({ length: points }, (_, n) => pointAt(n))
  const counts = { total: points, success: points, failed: 0, denied: 0, client_errors: 0, server_errors: 0 }
  return {
    as_of: timeAt(points),
    final_until: null,
    drift: null,
    unverified_minutes: 0,
    adjusted: 0,
    period: { from: timeAt(0), to: timeAt(points), tz: 'UTC', bucket: 'minute' },
    ...counts,
    latency_ms: latencyAt(0),
    previous: null,
    series,
    rows: [],
    limits: [],
    streams: null,
    locked: [],
  }
}

export function manyRequests(rows: number): RequestPage {
  const requests = Array.from({ length: rows }, (_, n) => requestAt(n))
  return { requests, next_cursor: null, kept_from: timeAt(0), as_of: timeAt(rows) }
}

function pointAt(n: number): UsagePoint {
  const success = 200 + Math.round(150 * Math.sin(n / 700))
  const failed = n % 97 === 0 ? 7 : 0
  return {
    from: timeAt(n),
    to: timeAt(n + 1),
    partial: false,
    total: success + failed,
    success,
    failed,
    denied: failed,
    client_errors: 0,
    server_errors: 0,
    latency_ms: latencyAt(n),
  }
}

function latencyAt(n: number) {
  const p50 = 8 + 4 * Math.sin(n / 300) + (n % 13) / 10
  return { p50, p95: p50 * 2.2, p99: p50 * (n % 1_009 === 0 ? 40 : 4) }
}

function requestAt(n: number): LoggedRequest {
  const status = STATUSES[n % STATUSES.length] ?? 200
  return {
    id: String(n),
    request_id: n.toString(16).padStart(32, '0'),
    time: timeAt(n),
    method: 'POST',
    route: n % 3 === 0 ? '/api/v1/l2events/list' : '/api/v1/trades/list',
    status,
    outcome: status === 200 ? 'ok' : status === 429 ? 'denied' : status < 500 ? 'client_error' : 'server_error',
    code: null,
    key_id: 'key',
    key_name: 'order-router',
    network: '192.0.2.0/24',
    latency_ms: 2 + (n % 250),
    bytes_in: 120,
    bytes_out: 9_000,
    rows_returned: 50,
  }
}

function timeAt(n: number): string {
  return new Date(START_MS + n * MINUTE_MS).toISOString()
}
