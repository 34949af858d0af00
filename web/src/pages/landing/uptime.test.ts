import type { ComponentStatus, PlatformStatus } from '@tapeline/contracts/audit/status'
import { expect, test } from 'vitest'
import { uptimeOf } from './uptime.ts'

const measured = (day: string, requests: number, probes: number) => ({
  day,
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
const status = (availability: number | null, components: ComponentStatus[]): PlatformStatus => ({
  as_of: '2026-03-02T00:00:00Z',
  notice: null,
  availability,
  components,
  latency: { count: 0, p50_ms: null, p95_ms: null, p99_ms: null, histogram: [], not_measured: 'nothing' },
})

test('the uptime is the measured one, with what it was measured on', () => {
  const days = [measured('2026-02-28', 0, 0), measured('2026-03-01', 100, 1_400), measured('2026-03-02', 0, 60)]
  const two = [component('gateway', days), component('audit', [measured('2026-03-01', 0, 5)])]
  expect(uptimeOf(status(0.999_512, two))).toEqual({
    isMeasured: true,
    text: '99.95%',
    detail: '1,565 requests and probes in 2 days',
  })
})

test('without data nothing is claimed', () => {
  const nothing = { isMeasured: false, text: 'not measured', detail: 'nothing has been counted yet' }
  expect(uptimeOf(undefined)).toEqual(nothing)
  expect(uptimeOf(status(null, [component('gateway', [measured('2026-03-01', 0, 0)])]))).toEqual(nothing)
})
