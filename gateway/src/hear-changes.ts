import { createKafka } from '@tapeline/events/kafka'
import { keepListening } from '@tapeline/events/keep-listening'
import type { KnownKeys } from './known-keys.ts'
import type { StartOptions } from './start-options.ts'
import { subscriptionsOf } from './subscriptions.ts'
import type { TierDocuments } from './tier-documents.ts'

/** Without Kafka a gateway starts too: its records are checked by version anyway. */
export function hearChanges({ config, logger, running }: StartOptions, known: KnownKeys, tiers: TierDocuments): void {
  const hearing = keepListening({
    kafka: createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'gateway', log: logger }),
    name: 'gateway',
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    listeners: subscriptionsOf(known, tiers),
    log: logger,
  })
  running.onStop('listener', () => hearing.stop())
}
