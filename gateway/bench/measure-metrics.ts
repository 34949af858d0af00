import { Counter, Histogram, Registry } from '@tapeline/service/metrics'
import { GatewayMetrics } from '../src/operations/gateway-metrics.ts'

// node gateway/bench/measure-metrics.ts [rounds]: processor time of recording one request, with the gateway's own counters and
// with the metrics library, in interleaved rounds. The lowest round counts: others ran beside other programs.
const ROUNDS = Number(process.argv[2] ?? 30)
const REQUESTS = 100_000
const ROUTES = ['trades.list', 'l2events.list', 'keys.list', 'limits.get']

const own = new GatewayMetrics()
const registers = [new Registry()]
const requests = new Counter({
  name: 'requests_total',
  help: 'Requests.',
  labelNames: ['route', 'status_class'],
  registers,
})
const duration = new Histogram({
  name: 'duration_seconds',
  help: 'Time to the answer.',
  labelNames: ['route'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  registers,
})

const ways: Record<string, (route: string, latencyMs: number) => void> = {
  'own counters': (route, latencyMs) => own.observe(route, 200, latencyMs),
  'metrics library': (route, latencyMs) => {
    requests.inc({ route, status_class: '2xx' })
    duration.observe({ route }, latencyMs / 1_000)
  },
}

const lowest = new Map<string, number>()
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, record] of Object.entries(ways)) {
    const before = process.cpuUsage()
    for (let n = 0; n < REQUESTS; n += 1) record(ROUTES[n % ROUTES.length] ?? '', n % 50)
    const { user, system } = process.cpuUsage(before)
    lowest.set(name, Math.min(lowest.get(name) ?? Infinity, (user + system) / REQUESTS))
  }
}
for (const [name, micros] of lowest) process.stdout.write(`${name}: ${micros.toFixed(3)} µs per request\n`)
