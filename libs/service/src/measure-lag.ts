import { Gauge, type Registry } from '@prometheus-io/client'

/** Exports the lag of this process's consumers: one series per consumer group. */
export function measureLag(lag: () => ReadonlyMap<string, number>, registry: Registry): void {
  const gauge: Gauge<'group'> = new Gauge({
    name: 'kafka_consumer_lag_messages',
    help: 'Messages that Kafka has and that this process has not applied yet, as of the last check.',
    labelNames: ['group'],
    registers: [registry],
    collect() {
      for (const [group, messages] of lag()) gauge.set({ group }, messages)
    },
  })
}
