import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'

export { Counter, Gauge, Histogram, Registry }

/** Its quantiles are kept by a digest, which an idle process would feel at the default of 100 ms. */
const UTILIZATION_EVERY_MS = 1_000
/** The default of 10 ms wakes an idle process a hundred times per second: 0.3 % of a core instead of 0.05 %. */
const LOOP_DELAY_EVERY_MS = 100
/** Longer than any process runs: the library has no option to leave out its own measurement. */
const NEVER_MS = 2 ** 31 - 1
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

/** Exports CPU time, memory, garbage collection, and the delays of the event loop of this process. */
export function measureProcess(registry: Registry): void {
  collectDefaultMetrics({
    register: registry,
    eventLoopUtilizationTimeout: UTILIZATION_EVERY_MS,
    eventLoopMonitoringPrecision: NEVER_MS,
  })
  measureLoopDelay(registry)
}

/** Replaces the library's gauges: seconds by which timers were late since the last scrape. */
function measureLoopDelay(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: LOOP_DELAY_EVERY_MS })
  delays.enable()
  const lateS = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LOOP_DELAY_EVERY_MS / 1e3)
  const statistics = {
    min: () => lateS(delays.min),
    max: () => lateS(delays.max),
    mean: () => lateS(delays.mean),
    stddev: () => delays.stddev / 1e9,
    p50: () => lateS(delays.percentile(50)),
    p90: () => lateS(delays.percentile(90)),
    p99: () => lateS(delays.percentile(99)),
  }
  const gauges = Object.entries(statistics).map(([name, read], at) => {
    const metric = `nodejs_eventloop_lag_${name}_seconds`
    registry.removeSingleMetric(metric)
    const help = `How late timers were since the last scrape: ${name}.`
    // The first is read first, and sets all.
    return { read, gauge: new Gauge({ name: metric, help, registers: [registry], ...(at === 0 ? { collect } : {}) }) }
  })
  function collect(): void {
    // Without a sample, a scrape right after another repeats the values before.
    if (delays.count === 0) return
    for (const { read, gauge } of gauges) gauge.set(read())
    delays.reset()
  }
}
