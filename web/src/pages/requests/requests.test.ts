import type { ExplainedWindow, RequestDetail } from '@tapeline/contracts/audit/requests'
import { describe, expect, test } from 'vitest'
import { curlOf } from './curl-of.ts'
import { reportOfRequests } from './report-of-requests.ts'
import { requestTime } from './request-time.ts'
import {
  cleanRequestId,
  queryOfFilter,
  readRequestsFilter,
  tapeFilter,
  writeRequestsFilter,
} from './requests-filter.ts'
import { toneOf, verdictOf, waitUntil } from './verdict.ts'

describe('the filter of the request log', () => {
  test('the page reads the URL that it writes', () => {
    const text = 'range=24h&route=%2Fapi%2Fv1%2Ftrades%2Flist&key=0193&outcome=denied&status=429&request=5e0c94ab'
    const filter = readRequestsFilter(new URLSearchParams(text))
    expect(writeRequestsFilter(filter).toString()).toBe(text)
    expect(queryOfFilter(filter)).toEqual({
      period: '24h',
      route: '/api/v1/trades/list',
      apiKeyId: '0193',
      outcome: 'denied',
      status: '429',
      requestId: '5e0c94ab',
    })
  })

  test('the tape supports every filter of the list; the report has no filter by request id', () => {
    const filter = readRequestsFilter(new URLSearchParams('key=0193&outcome=denied&status=429'))
    expect(tapeFilter(filter)).toMatchObject({ period: '7d', keyId: '0193', outcome: 'denied', status: '429' })
    expect(tapeFilter({ ...filter, requestId: '5e0c94ab' })).toEqual(tapeFilter(filter))
  })

  test('invalid values in a URL are ignored', () => {
    const filter = readRequestsFilter(new URLSearchParams('range=2y&outcome=fine&status=9xx&request=hello&route=/x'))
    expect(queryOfFilter(filter)).toEqual({ period: '7d' })
  })

  test.each([
    [' 5E0C-94AB ', '5e0c94ab'],
    ['not an id', undefined],
    ['', undefined],
    ['a'.repeat(33), undefined],
  ])('%j as a request id is %j', (text, id) => expect(cleanRequestId(text)).toBe(id))
})

describe('the tape of a request id', () => {
  const counts = { total: 9, success: 9, failed: 0, denied: 0, client_errors: 0, server_errors: 0 }
  const minute = (from: string, to: string) => ({ from, to, partial: false, latency_ms: null, ...counts })
  const report = {
    series: [
      minute('2026-11-23T13:00:00Z', '2026-11-23T13:01:00Z'),
      minute('2026-11-23T13:01:00Z', '2026-11-23T13:02:00Z'),
    ],
  }

  test('counts the listed requests alone, each in its bucket', () => {
    const { series, ...sums } = reportOfRequests(report, [{ time: '2026-11-23T13:01:00.000Z', outcome: 'denied' }])
    const one = { ...counts, total: 1, success: 0, failed: 1, denied: 1 }
    expect(sums).toEqual(one)
    expect(series).toEqual([
      { ...report.series[0], ...counts, total: 0, success: 0 },
      { ...report.series[1], ...one },
    ])
  })

  test('a client that disconnected counts as failed, and as no error of either side', () => {
    const { failed, client_errors, server_errors } = reportOfRequests(report, [
      { time: '2026-11-23T13:00:10Z', outcome: 'aborted' },
      { time: '2026-11-23T13:00:20Z', outcome: 'server_error' },
    ])
    expect({ failed, client_errors, server_errors }).toEqual({ failed: 2, client_errors: 0, server_errors: 1 })
  })
})

describe('copied as curl', () => {
  test('contains placeholders for the secret and for the body, which is not stored', () => {
    const command = curlOf({ method: 'POST', route: '/api/v1/trades/list', key_id: '0193' }, 'http://localhost:3001')
    expect(command).toBe(
      [
        `curl -i -X POST 'http://localhost:3001/api/v1/trades/list' \\`,
        `  -H "Authorization: Bearer $TAPELINE_API_KEY" \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d '{"venues":["sim"],"limit":3}'`,
      ].join('\n'),
    )
  })

  test('a read call has no body, and its parameters are listed', () => {
    expect(curlOf({ method: 'GET', route: '/api/v1/instruments/:id', key_id: 'session' }, '')).toBe(
      `curl -i '/api/v1/instruments/{id}' \\\n  -H "Authorization: Bearer $TAPELINE_TOKEN"`,
    )
  })
})

const window = (overrides: Partial<ExplainedWindow>): ExplainedWindow => ({
  policy: 'min',
  name: 'minute window',
  used: 10,
  limit: 10,
  remaining: 0,
  has_denied: false,
  resets_at: null,
  ...overrides,
})
const decided = (
  overrides: Partial<RequestDetail['explanation']>,
  status = 429,
  outcome: RequestDetail['outcome'] = 'denied',
  upstream_ms: number | null = 1,
) => ({
  status,
  outcome,
  latency: { total_ms: 2, upstream_ms, gateway_ms: 1 },
  explanation: {
    verdict: 'denied' as const,
    degraded: false,
    text: '',
    denied_by: [],
    passes_at: null,
    would_pass_with: null,
    rejected_fields: [],
    windows: [],
    key_windows: [],
    ...overrides,
  },
})

describe('a decision', () => {
  test.each([
    [
      'Rejected: 10 of 10 requests used in the last minute',
      decided({ windows: [window({ policy: 'hour' }), window({ has_denied: true })] }),
    ],
    [
      'Rejected by this key’s own limit: 10 of 10 requests used in the last 24 hours',
      decided({ key_windows: [window({ policy: 'day', has_denied: true })] }),
    ],
    ['Rejected before any limit was checked', decided({ verdict: 'refused' }, 401, 'client_error')],
    ['Allowed and served', decided({ verdict: 'admitted' }, 200, 'ok')],
    ['Allowed by every limit; the service returned 400', decided({ verdict: 'admitted' }, 400, 'client_error')],
    ['Allowed by every limit; the gateway returned 503', decided({ verdict: 'admitted' }, 503, 'server_error', null)],
    [
      'Allowed; the client disconnected before the response was complete',
      decided({ verdict: 'admitted' }, 499, 'aborted'),
    ],
  ])('%s', (heading, request) => expect(verdictOf(request)).toBe(heading))

  test('a request that a limit rejected is not shown as a client error', () => {
    expect(toneOf({ status: 429, outcome: 'denied' })).toBe('warn')
    expect(toneOf({ status: 400, outcome: 'client_error' })).toBe('client')
  })

  test.each([
    ['2026-03-10T12:00:01.284Z', '1.284 s'],
    ['2026-03-10T12:01:00.500Z', '60.5 s'],
    ['2026-03-10T12:11:30.000Z', '12 min'],
    ['2026-03-11T12:00:00.000Z', '24 h'],
    ['2026-03-10T18:30:00.000Z', '6.5 h'],
    ['2026-03-22T12:00:00.000Z', '12 days'],
    [null, undefined],
  ])('what resets at %s does so after %s', (at, words) => {
    expect(waitUntil('2026-03-10T12:00:00.000Z', at)).toBe(words)
  })
})

test('the time of a request is in the zone of the account, with all recorded digits', () => {
  expect(requestTime('2026-11-17T23:22:05.931204Z', 'Europe/Paris')).toEqual({
    day: '18 Nov',
    clock: '00:22:05.931',
    fine: '204',
  })
  expect(requestTime('2026-11-17T23:22:05Z', 'UTC')).toMatchObject({ clock: '23:22:05.000', fine: '' })
})
