import type { CallReport } from '@tapeline/contracts/gateway/http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from './client.ts'

const REPORTS = 'https://api.test/api/v1/internal/calls-traced'
const requestId = (n: number) => n.toString(16).padStart(32, '0')

beforeEach(() => {
  vi.useFakeTimers()
  // Each test simulates a separate page.
  vi.resetModules()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** An API that assigns trace ids and states whether it records; a page that can be left. */
async function browser({ isOn = true, reportStatus = 204 } = {}) {
  const requests: { path: string; traceparent: string | null }[] = []
  const reports: CallReport[] = []
  let listeners = 0
  let isHidden = false
  let onVisibility = () => {}
  const fetchFrom = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const path = String(url)
    if (path === REPORTS) {
      expect([init.keepalive, init.credentials]).toEqual([true, 'omit'])
      reports.push(JSON.parse(init.body as string))
      return new Response(null, { status: reportStatus })
    }
    requests.push({ path, traceparent: new Headers(init.headers).get('traceparent') })
    const id = requestId(requests.length)
    await new Promise((resolve) => setTimeout(resolve, 40))
    const headers = { 'x-request-id': id, traceparent: `00-${id}-${id.slice(16)}-${isOn ? '01' : '00'}` }
    return new Response('{"success":true,"data":1}', { headers })
  }
  const page = {
    baseURI: 'https://api.test/dashboard/profile',
    get visibilityState() {
      return isHidden ? ('hidden' as const) : ('visible' as const)
    },
    addEventListener(_name: string, listener: () => void) {
      listeners += 1
      onVisibility = listener
    },
  }
  vi.stubGlobal('fetch', fetchFrom)
  vi.stubGlobal('document', page)
  const { tracedFetch } = await import('./tracing.ts')
  const client = createClient({
    baseUrl: '',
    fetch: tracedFetch,
    tokens: { read: () => undefined, readUser: () => undefined, renew: () => {} },
    withLock: (_name, work) => work(),
    onSessionEnded: () => {},
  })
  const call = async () => {
    const answer = client.data({ path: '/api/v1/limits' })
    await vi.advanceTimersByTimeAsync(50)
    await vi.dynamicImportSettled()
    return answer
  }
  const leave = () => {
    isHidden = true
    onVisibility()
  }
  return { requests, reports, call, leave, isLoaded: () => listeners > 0 }
}

test('while tracing is off, nothing is loaded, sent or recorded', async () => {
  const { requests, reports, call, leave, isLoaded } = await browser({ isOn: false })
  await call()
  await call()
  leave()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requests.map(({ traceparent }) => traceparent)).toEqual([null, null])
  expect([isLoaded(), reports]).toEqual([false, []])
})

test('once an answer is marked as recorded, each call has a span; spans are reported together under the trace ids of their answers', async () => {
  const { requests, reports, call } = await browser()
  for (let n = 0; n < 3; n += 1) await call()
  const [first, ...traced] = requests.map(({ traceparent }) => traceparent)
  expect(first).toBeNull()
  for (const one of traced) expect(one).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(reports).toEqual([])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(reports).toHaveLength(1)
  expect(reports[0]?.calls).toMatchObject(
    traced.map((one, n) => ({ trace_id: requestId(n + 2), span_id: one?.split('-')[2], method: 'GET', status: 200 })),
  )
  for (const { duration_ms, ended_ms_ago } of reports[0]?.calls ?? []) {
    expect(duration_ms).toBeCloseTo(40, 0)
    expect(ended_ms_ago).toBeGreaterThan(4_000)
  }
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reports).toHaveLength(1)
})

test('leaving the page sends the pending spans', async () => {
  const { reports, call, leave } = await browser()
  await call()
  await call()
  leave()
  expect(reports.map(({ calls }) => calls.length)).toEqual([1])
})

test('a report has at most fifty calls', async () => {
  const { reports, call } = await browser()
  await call()
  await Promise.all(Array.from({ length: 60 }, call))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(reports.map(({ calls }) => calls.length)).toEqual([50])
})

test('a gateway that stops recording receives no more spans', async () => {
  const { requests, reports, call } = await browser({ reportStatus: 404 })
  await call()
  await call()
  await vi.advanceTimersByTimeAsync(5_000)
  await call()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(requests.at(-1)?.traceparent).toBeNull()
  expect(reports).toHaveLength(1)
})
