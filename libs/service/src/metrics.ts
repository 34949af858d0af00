import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'

export { Counter, Gauge, Histogram, Registry }

const LATENCY_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type HttpMetrics = { observe: (method: string, route: string, status: number, seconds: number) => void }

/** Rate, errors and duration per route pattern. Labels are bounded, because raw paths are never used. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the request line to the end of the response.',
    labelNames: ['method', 'route', 'status_class'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [registry],
  })
  return {
    observe(method, route, status, seconds) {
      duration.observe({ method, route, status_class: `${Math.floor(status / 100)}xx` }, seconds)
    },
  }
}

/** Exports the number of dead letters of the service, read on each scrape. */
export function measureDeadLetters(count: () => Promise<number>, registry: Registry): void {
  const gauge: Gauge = new Gauge({
    name: 'dead_letters',
    help: 'Dead letters of the service: events that could not be processed.',
    registers: [registry],
    async collect() {
      const letters = await count().catch(() => undefined)
      // Without the database the process still reports its other metrics, and the last value of this one.
      if (letters !== undefined) gauge.set(letters)
    },
  })
}

/** Exports the lag of this process's consumers: one series per consumer group. */
export function measureLag(lag: () => ReadonlyMap<string, number>, registry: Registry): void {
  const gauge: Gauge<'group'> = new Gauge({
    name: 'kafka_consumer_lag_messages',
    help: 'Messages in Kafka that this process has not applied yet, at the last check.',
    labelNames: ['group'],
    registers: [registry],
    collect() {
      for (const [group, messages] of lag()) gauge.set({ group }, messages)
    },
  })
}
