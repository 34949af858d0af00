import { expect, test } from 'vitest'
import { json, problem, startApiServer } from '@tapeline/testing/programs/api-server'
import { runCli } from '../../test/run-cli.fixture.ts'

const ID = 'a'.repeat(32)
const counts = { total: 3, success: 1, failed: 2, denied: 1, latency_ms: { p50: 1, p95: 2.5, p99: 3 } }
const report = {
  ...counts,
  as_of: '2026-01-02T00:00:00Z',
  series: [{ ...counts, from: '2026-01-01T00:00:00Z' }],
  rows: [{ ...counts, key: '/api/v1/trades/list', latency_ms: null }],
  locked: [],
}
const logged = {
  id: 'row1',
  request_id: ID,
  time: '2026-01-01T00:00:00Z',
  method: 'POST',
  route: '/api/v1/trades/list',
}
const detail = {
  ...logged,
  status: 429,
  code: 'limit.minute_exceeded',
  explanation: {
    text: 'Rejected: 60 of 60 requests used in the last minute.',
    passes_at: '2026-01-01T00:00:09Z',
    would_pass_with: 'basic',
    rejected_fields: [],
    windows: [{ name: 'Minute', used: 60, limit: 60, remaining: 0, resets_at: null }],
    key_windows: [{ name: 'Hour', used: 1, limit: 9, remaining: 8, resets_at: null }],
  },
}

async function startAll() {
  const server = await startApiServer({
    '/api/v1/internal/apikeyaudit/dashboard-metrics': json({ data: report }),
    '/api/v1/internal/apikeyaudit/usage-breakdown': json({ data: report }),
    '/api/v1/internal/requests': (reply, request) => {
      const isFirst = !request.query.has('cursor')
      const requests = isFirst ? [] : [logged]
      json({ data: { requests, next_cursor: isFirst ? 'c1' : null } })(reply, request)
    },
    '/api/v1/internal/requests/row1': json({ data: detail }),
    [`/api/v1/internal/requests/${ID}`]: json({ data: detail }),
    '/api/v1/internal/requests/unknown': problem(404, 'logged_request.not_found'),
  })
  const env = { TAPELINE_URL: server.url, TAPELINE_SERVICE_KEY: 'tl_svc_abcdefgh' }
  return { ...server, run: async (line: string) => runCli(line.split(' '), { env }) }
}

test('usage by time and by endpoint', async () => {
  const { run, requests } = await startAll()
  const byTime = await run('usage --period 7d --format table')
  expect(byTime.out).toMatch(/FROM +TOTAL +SUCCESS .*\n2026-01-01T00:00:00Z +3 +1 +2 +1 +1 +2.5 +3\n/)
  expect(byTime.err).toMatch(/^3 requests, 2 failed, 1 of them over a limit, p95 2.5 ms, counted up to /)
  expect((await run('usage --by endpoint --format csv')).out).toMatch(/\r\n\/api\/v1\/trades\/list,3,1,2,1,,,,/)
  expect(requests.map(({ query }) => Object.fromEntries(query))).toEqual([
    { period: '7d' },
    { period: '24h', groupBy: 'endpoint' },
  ])
})

test('a request is explained by its x-request-id or id, with one call, and listed over pages', async () => {
  const { run, requests } = await startAll()
  const { out, code } = await run(`requests explain ${ID} --format table`)
  expect(code).toBe(0)
  expect(requests).toHaveLength(1)
  expect(await run('requests explain unknown')).toMatchObject({
    code: 3,
    err: expect.stringMatching(/^The log has no such request/),
  })
  expect(out).toContain('POST /api/v1/trades/list  429 limit.minute_exceeded')
  expect(out).toContain('Rejected: 60 of 60 requests used in the last minute.\n')
  expect(out).toContain('The plan basic would have allowed it.')
  expect(out).toMatch(/Minute +60 +60 +0 +-\nHour \(key\) +1 +9 +8 +-\n/)
  expect(JSON.parse((await run('requests explain row1 --format json')).out)).toEqual(detail)
  expect((await run('requests list --limit 1 --format ndjson')).out).toContain(`"request_id":"${ID}"`)
})
