import { expect, test } from 'vitest'
import { evaluateTargets } from './evaluate-targets.ts'

const judge = (availability: number | null, p99_ms: number | null) =>
  evaluateTargets({ availability, latency: { p99_ms } })

test.each([
  [7.9, 'kept'],
  [100, 'kept'],
  [100.1, 'missed'],
  [494, 'missed'],
  [null, 'not_measured'],
] as const)('a 99th percentile of %s ms is %s', (p99, verdict) => {
  expect(judge(1, p99)).toEqual({ uptime: 'kept', response: verdict })
})

test.each([
  [1, 'kept'],
  [0.999, 'kept'],
  [0.99899, 'missed'],
  [0, 'missed'],
  [null, 'not_measured'],
] as const)('an availability of %s is %s', (availability, verdict) => {
  expect(judge(availability, 20)).toEqual({ uptime: verdict, response: 'kept' })
})
