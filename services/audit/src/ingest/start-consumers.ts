import type { OutboxTables } from '@tapeline/database/outbox-table'
import { type RunningConsumer, startConsumer } from '@tapeline/events/consumer/consume'
import { type RelayOptions, startRelay } from '@tapeline/events/relay'
import type { Kysely } from 'kysely'
import { marketSubscriptions } from '../subscriptions.ts'
import { startDomainConsumer } from './start-domain-consumer.ts'
import { startUsageConsumer, type UsageConsumerOptions } from './start-usage-consumer.ts'

export type ConsumersOptions = UsageConsumerOptions &
  Pick<RelayOptions, 'signals'> & {
    /** The database of the service, typed for the outbox relay. */
    outbox: Kysely<OutboxTables>
  }

/** Starts the consumers of usage events and of the services' events, and the relay of audit's own. */
export function startConsumers(options: ConsumersOptions): { isStuck: () => boolean; stop: () => Promise<void> } {
  const { deps, outbox, kafka, topicPrefix, log, signals } = options
  const consumers = [startUsageConsumer(options), startDomainConsumer(options), startMarketConsumer(options)]
  const relay = startRelay({
    db: outbox,
    kafka,
    topicPrefix,
    log,
    now: deps.now,
    raiseVersion: async () => true,
    ...(signals === undefined ? {} : { signals }),
  })
  return {
    isStuck: () => consumers.some(({ progress }) => progress.isStuck()),
    async stop() {
      await Promise.all([...consumers, relay].map((one) => one.stop()))
    },
  }
}

/** Reads the topic of market-data for webhooks about sealed and corrected days, and changes of venues for the trail. */
function startMarketConsumer({ deps, kafka, topicPrefix, log }: UsageConsumerOptions): RunningConsumer {
  return startConsumer({
    kafka,
    db: deps.db,
    // Its own group, so that ingested records do not delay the audit trail.
    group: 'audit-market-data',
    topicPrefix,
    subscriptions: marketSubscriptions(deps),
    log,
    now: deps.now,
  })
}
