import { expect, test } from 'vitest'
import { GatewayMetrics } from './gateway-metrics.ts'
import { mergeMetrics } from './merge-metrics.ts'

function metricsOf(requests: number, journalBytes: number): string {
  const metrics = new GatewayMetrics()
  for (let n = 0; n < requests; n += 1) metrics.observe('/api/v1/trades/list', 200, 3)
  metrics.wrongCredentials = requests
  const labels = '{service="audit"}'
  metrics.addGauge({ name: 'gateway_journal_bytes', help: 'Waiting.', read: () => journalBytes })
  metrics.addGauge({ name: 'gateway_upstream_open', labels, help: 'Open.', read: () => 1 })
  metrics.addCounter({ name: 'gateway_upstream_breaker_rejected_total', labels, help: 'Spared.', read: () => requests })
  return metrics.render()
}

test('counters are added up, gauges remain per process, and every name is described once', () => {
  const lines = mergeMetrics([
    { process: 0, text: metricsOf(2, 10) },
    { process: 1, text: metricsOf(3, 20) },
  ]).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'gateway_requests_total{route="/api/v1/trades/list",status_class="2xx"} 5',
      'gateway_request_duration_seconds_bucket{route="/api/v1/trades/list",le="0.005"} 5',
      'gateway_request_duration_seconds_count{route="/api/v1/trades/list"} 5',
      'gateway_wrong_credentials_total 5',
      'gateway_journal_bytes{process="0"} 10',
      'gateway_journal_bytes{process="1"} 20',
      'gateway_upstream_open{service="audit",process="1"} 1',
      'gateway_upstream_breaker_rejected_total{service="audit"} 5',
    ]),
  )
  const described = lines.filter((line) => line.startsWith('# TYPE'))
  expect(new Set(described).size).toBe(described.length)
})
