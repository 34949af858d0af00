import type { OutboxTables } from '@tapeline/database/outbox-table'
import { startConsumer } from '@tapeline/events/consumer/consume'
import { createKafka } from '@tapeline/events/kafka'
import { startRelay } from '@tapeline/events/relay'
import type { Logger } from '@tapeline/service/logger'
import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { subscriptions } from './subscriptions.ts'

export type ListeningOptions = {
  deps: Pick<Deps, 'db' | 'now' | 'raiseVersion'>
  relayDb: Kysely<OutboxTables>
  config: Pick<Config, 'KAFKA_BROKERS' | 'KAFKA_TOPIC_PREFIX'>
  logger: Logger
}

/** Starts the relay, and the consumer of notifications and changed settings. */
export function startListening({ deps, relayDb, config, logger: log }: ListeningOptions) {
  const kafka = createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'identity', log })
  const shared = { kafka, topicPrefix: config.KAFKA_TOPIC_PREFIX, log, now: deps.now }
  const relay = startRelay({ ...shared, db: relayDb, raiseVersion: deps.raiseVersion })
  const notices = startConsumer({ ...shared, db: deps.db, group: 'identity', subscriptions: subscriptions() })
  return {
    isStuck: () => notices.progress.isStuck(),
    stop: () => Promise.all([notices.stop(), relay.stop()]),
  }
}
