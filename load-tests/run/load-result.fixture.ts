import type { K6Summary } from '../lib/summary.ts'
import { summarize } from '../lib/summary.ts'
import type { LoadResult } from './load-result.ts'
import { verdictsOf } from './load-result.ts'

const trend = (count: number, p95: number, p99: number) => ({
  type: 'trend',
  values: { count, avg: p95 / 2, med: p95 / 2, 'p(95)': p95, 'p(99)': p99, max: p99 * 2 },
})
const rate = (value: number) => ({ type: 'rate', values: { rate: value, passes: 0, fails: 0 } })
const counter = (count: number, perSecond = 0) => ({ type: 'counter', values: { count, rate: perSecond } })

/** A k6 summary of a load of ten seconds. */
export const k6Summary: K6Summary = {
  state: { testRunDurationMs: 10_400 },
  root_group: { checks: [{ name: 'trades are <listed>', passes: 99, fails: 1 }], groups: [] },
  metrics: {
    http_reqs: counter(100, 9.6),
    iterations: counter(50),
    dropped_iterations: { ...counter(2), thresholds: { 'count==0': { ok: false } } },
    http_req_failed: { ...rate(0.01), thresholds: { 'rate==0': { ok: false } } },
    http_req_duration: trend(100, 40, 90),
    'http_req_duration{tier:pro}': { ...trend(60, 30, 80), thresholds: { 'p(95)<100': { ok: true } } },
    'http_req_duration{tier:free}': { ...trend(0, 0, 0), thresholds: { 'p(95)<200': { ok: true } } },
    'http_req_duration{slice:01}': { ...trend(40, 50, 95), thresholds: { 'max>=0': { ok: true } } },
    'http_req_failed{slice:01}': { ...rate(0.025), thresholds: { 'rate>=0': { ok: true } } },
    'http_req_duration{slice:00}': { ...trend(60, 35, 70), thresholds: { 'max>=0': { ok: true } } },
    'http_req_failed{slice:00}': { ...rate(0), thresholds: { 'rate>=0': { ok: true } } },
    limiter_overshoot: { ...counter(0), thresholds: { 'count==0': { ok: true } } },
    ten_pages_ms: trend(5, 400, 600),
    history_hours: { type: 'gauge', values: { value: 48, min: 47, max: 48 } },
    iteration_duration: trend(50, 100, 200),
  },
}

const ABOUT = { journey: 'page-30-days', profile: 'smoke', sliceSeconds: 5 }

export function someResult(change: Partial<LoadResult> = {}): LoadResult {
  const summary = summarize(k6Summary, ABOUT)
  const verdicts = verdictsOf(summary, [])
  return {
    ...summary,
    at: '2026-01-02T03:04:05.678Z',
    commit: 'abc1234',
    k6: 'v1.8.1',
    node: 'v26.10.0',
    processor: 'a processor',
    cores: 2,
    loadAverage: { before: 0.1, after: 1.2 },
    platform: 'own',
    gateways: 1,
    costs: [{ name: 'gateway', cpuMicrosPerRequest: 80, rssMb: 150 }],
    answers: [],
    verdicts,
    held: verdicts.every(({ held }) => held),
    ...change,
  }
}

export const aSummary = () => summarize(k6Summary, ABOUT)
