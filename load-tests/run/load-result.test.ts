import { expect, test } from 'vitest'
import { readAcceptedAnswers } from './accepted-answers.ts'
import { compareResults } from './compare-results.ts'
import { verdictsOf } from './load-result.ts'
import { aSummary, someResult } from './load-result.fixture.ts'

test('the summary of k6 becomes figures by tier and over time; a tier without answers fails; times of k6 itself are excluded', () => {
  const summary = aSummary()
  expect(summary).toMatchObject({ requests: 100, droppedIterations: 2, failedShare: 0.01, retryAfterHonoured: null })
  expect(summary.historyHours).toBe(47)
  expect(Object.keys(summary.latencies)).toEqual(['all', 'pro'])
  expect(Object.keys(summary.times)).toEqual(['ten_pages_ms'])
  expect(summary.slices).toEqual([
    { fromSeconds: 0, requests: 60, perSecond: 12, p95: 35, p99: 70, failed: 0 },
    { fromSeconds: 5, requests: 40, perSecond: 8, p95: 50, p99: 95, failed: 0.025 },
  ])
  expect(summary.rules.filter(({ held }) => !held).map(({ metric }) => metric)).toEqual([
    'dropped_iterations',
    'http_req_duration{tier:free}',
    'http_req_failed',
  ])
})

const line = (account: number, from: number, to: number) =>
  `time="2026" level=info msg="accepted ${account} ${from} ${to} burst=2/1000 min=100/60000" source=console`

test('accepted answers are counted per account and compared with the reported limits', () => {
  const output = ['level=info msg="something else"', line(1, 0, 5), line(0, 0, 5), line(0, 10, 15), line(0, 20, 25)]
  const answers = readAcceptedAnswers(output)
  expect(answers.map(({ account, accepted }) => [account, accepted])).toEqual([
    [0, 3],
    [1, 1],
  ])
  expect(answers[0]?.overshoots).toEqual([
    { policy: 'burst', limit: 2, windowMs: 1_000, most: 3, over: 1 },
    { policy: 'min', limit: 100, windowMs: 60_000, most: 3, over: 0 },
  ])
})

test('an overshoot seen by clients fails a load whose k6 thresholds were met', () => {
  const summary = { ...aSummary(), rules: [], logged: 3 }
  const within = readAcceptedAnswers([line(0, 0, 5), line(0, 10, 15)])
  const beyond = readAcceptedAnswers([line(0, 0, 5), line(0, 10, 15), line(0, 20, 25)])
  expect(verdictsOf(summary, within).every(({ held }) => held)).toBe(true)
  expect(verdictsOf(summary, beyond).filter(({ held }) => !held)).toMatchObject([
    { found: 'account 0: 3 in one burst of 2' },
  ])
})

test('a request log with fewer admitted requests than responses fails the load', () => {
  const answers = readAcceptedAnswers([line(0, 0, 5), line(0, 1_500, 1_505)])
  const broken = verdictsOf({ ...aSummary(), rules: [], logged: 1 }, answers).filter(({ held }) => !held)
  expect(broken.map(({ guarantee }) => guarantee)).toContain('the request log has every accepted answer')
})

test('a load that reached no limit, or had no responses, does not test the limiter and fails', () => {
  const brokenOf = (lines: string[]) =>
    verdictsOf({ ...aSummary(), rules: [], logged: lines.length }, readAcceptedAnswers(lines)).filter(
      ({ held }) => !held,
    )
  expect(brokenOf([line(0, 0, 5)]).map(({ guarantee }) => guarantee)).toEqual([
    'a limit was reached, so the limiter was exercised',
  ])
  expect(brokenOf([])).toHaveLength(2)
})

test('comparison with the previous run: changes beyond noise, and their direction', () => {
  const before = someResult()
  const { all = before.latencies['all'], ...others } = before.latencies
  const slower = { all: { ...(all ?? { count: 0, p50: 0, p95: 0, max: 0 }), p99: 180 }, ...others }
  const now = someResult({ latencies: slower, requestsPerSecond: 20, droppedIterations: 0 })
  const moved = compareResults(before, now).filter(({ verdict }) => verdict !== 'same')
  expect(moved.map(({ figure, verdict }) => [figure, verdict])).toEqual([
    ['requests', 'better'],
    ['all p99', 'worse'],
    ['dropped iterations', 'better'],
  ])
})

test('another journey or profile is not compared', () => {
  expect(compareResults(someResult(), someResult({ profile: 'average' }))).toEqual([])
})
