import { Counter, Gauge, Histogram, type Registry } from '@tapeline/service/metrics'

const LAG_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

export type StreamMetrics = {
  countRecords: (channel: string, records: number) => void
  countSlowConsumer: () => void
  /** Delay from the timestamp of the Kafka message to the sending of its records. */
  observeLag: (seconds: number) => void
}

/** The metrics of the role `stream`. `open` is called at each scrape. */
export function createStreamMetrics(
  registry: Registry,
  open: () => { connections: number; subscriptions: number },
): StreamMetrics {
  const registers = [registry]
  addGauge(registry, 'market_data_stream_connections', 'Live streams of this process.', () => open().connections)
  addGauge(registry, 'market_data_stream_subscriptions', 'Their subscriptions.', () => open().subscriptions)
  const records = new Counter({
    name: 'market_data_stream_records_total',
    help: 'Records sent to streams, by channel; a record counts once per subscription.',
    labelNames: ['channel'],
    registers,
  })
  const slowConsumers = new Counter({
    name: 'market_data_stream_slow_consumers_total',
    help: 'Streams that ended because their client read too slowly.',
    registers,
  })
  const lag = new Histogram({
    name: 'market_data_stream_lag_seconds',
    help: 'Time from the append of stored records to Kafka until they were sent to all subscriptions.',
    buckets: LAG_BUCKETS_SECONDS,
    registers,
  })
  return {
    countRecords: (channel, count) => records.inc({ channel }, count),
    countSlowConsumer: () => slowConsumers.inc(),
    observeLag: (seconds) => lag.observe(Math.max(0, seconds)),
  }
}

function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) })
}
