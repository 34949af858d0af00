const MICROS_PER_S = 1_000_000
/** Upper bounds of the latency histogram, seconds. */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

type RouteCounts = { classes: Float64Array; buckets: Float64Array; sumMs: number }
/** A value that is read at each scrape; `labels` with their braces. */
export type Reading = { name: string; labels?: string; help: string; read: () => number }

/** Plain counters, formatted at each scrape: counting costs an addition. */
export class GatewayMetrics {
  private readonly routes = new Map<string, RouteCounts>()
  private readonly readings: (Reading & { type: 'gauge' | 'counter' })[] = []
  wrongCredentials = 0
  degradedDecisions = 0

  observe(route: string, status: number, latencyMs: number): void {
    let counts = this.routes.get(route)
    if (counts === undefined) {
      counts = { classes: new Float64Array(6), buckets: new Float64Array(BUCKETS_S.length + 1), sumMs: 0 }
      this.routes.set(route, counts)
    }
    const statusClass = Math.min(5, Math.floor(status / 100))
    counts.classes[statusClass] = (counts.classes[statusClass] ?? 0) + 1
    let bucket = 0
    while (bucket < BUCKETS_S.length && latencyMs > (BUCKETS_S[bucket] ?? 0) * 1_000) bucket += 1
    counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1
    counts.sumMs += latencyMs
  }

  addGauge(reading: Reading): void {
    this.readings.push({ ...reading, type: 'gauge' })
  }

  addCounter(reading: Reading): void {
    this.readings.push({ ...reading, type: 'counter' })
  }

  /** Prometheus text format. */
  render(): string {
    const lines = ['# TYPE gateway_requests_total counter']
    for (const [route, { classes }] of this.routes) {
      for (const [n, count] of classes.entries()) {
        if (count > 0) lines.push(`gateway_requests_total{route="${route}",status_class="${n}xx"} ${count}`)
      }
    }
    lines.push('# TYPE gateway_request_duration_seconds histogram')
    for (const [route, counts] of this.routes) lines.push(...histogram(route, counts))
    lines.push(
      '# TYPE gateway_wrong_credentials_total counter',
      `gateway_wrong_credentials_total ${this.wrongCredentials}`,
    )
    lines.push(
      '# TYPE gateway_degraded_decisions_total counter',
      `gateway_degraded_decisions_total ${this.degradedDecisions}`,
    )
    for (const [name, group] of Map.groupBy(this.readings, (reading) => reading.name)) {
      lines.push(`# HELP ${name} ${group[0]?.help}`, `# TYPE ${name} ${group[0]?.type}`)
      for (const { labels = '', read } of group) lines.push(`${name}${labels} ${read()}`)
    }
    return `${lines.join('\n')}\n`
  }
}

function histogram(route: string, { buckets, sumMs }: RouteCounts): string[] {
  const name = 'gateway_request_duration_seconds'
  let below = 0
  const lines = [...buckets.entries()].map(([n, count]) => {
    below += count
    return `${name}_bucket{route="${route}",le="${BUCKETS_S[n] ?? '+Inf'}"} ${below}`
  })
  return [...lines, `${name}_sum{route="${route}"} ${sumMs / 1_000}`, `${name}_count{route="${route}"} ${below}`]
}

/** Memory and processor time, under the names that the services use as well. */
export function measureProcess(metrics: GatewayMetrics): void {
  metrics.addGauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process.',
    read: () => process.memoryUsage.rss(),
  })
  metrics.addCounter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time, user and system.',
    read: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / MICROS_PER_S
    },
  })
}
