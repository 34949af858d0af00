import type { GatewayMetrics } from './gateway-metrics.ts'

const MICROS_PER_S = 1_000_000

/** What the process uses, under the names that every other process says it by. */
export function measureProcess(metrics: GatewayMetrics): void {
  metrics.addGauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process.',
    read: () => process.memoryUsage.rss(),
  })
  metrics.addCounter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time, its own and the system for it.',
    read: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / MICROS_PER_S
    },
  })
}
