import type { ComponentStatus, PlatformStatus } from '@tapeline/contracts/audit/status'
import { expect, test } from 'vitest'
import { measuredDays } from './measured-days.ts'

const day = (name: string, requests: number, probes: number) => ({
  day: name,
  requests,
  errors: 0,
  probes,
  failed_probes: 0,
  availability: requests + probes === 0 ? null : 1,
})
const component = (name: ComponentStatus['component'], days: ComponentStatus['days']): ComponentStatus => ({
  component: name,
  state: 'up',
  availability: 1,
  not_measured: null,
  days,
})

test('measurements are counted over all components, each day once', () => {
  const components = [
    component('gateway', [day('2026-02-28', 0, 0), day('2026-03-01', 100, 1_400), day('2026-03-02', 0, 60)]),
    component('audit', [day('2026-03-01', 0, 5)]),
  ]
  const latency = { count: 0, p50_ms: null, p95_ms: null, p99_ms: null, histogram: [], not_measured: 'nothing' }
  const status: PlatformStatus = { as_of: '2026-03-02T00:00:00Z', notice: null, availability: 1, components, latency }
  expect(measuredDays(status)).toEqual({ days: 2, counted: 1_565 })
})
