import type { OutboxTables } from '@tapeline/database/outbox-table'
import { startConsumer } from '@tapeline/events/consumer/consume'
import { createKafka } from '@tapeline/events/kafka'
import { startRelay } from '@tapeline/events/relay'
import type { Logger } from '@tapeline/service/logger'
import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { accountSubscriptions, usageSubscriptions } from './subscriptions.ts'

export type ListeningOptions = {
  deps: Deps
  relayDb: Kysely<OutboxTables>
  config: Pick<Config, 'KAFKA_BROKERS' | 'KAFKA_TOPIC_PREFIX'>
  logger: Logger
}

/** The last use may be recorded a second late: few large batches use less CPU than many small ones. */
const IN_COMPANY = { minBytes: 262_144, maxWaitTimeInMs: 1_000 }

/** Starts the relay and the consumers of account and usage events, which are independent of each other. */
export function startListening({ deps, relayDb, config, logger: log }: ListeningOptions) {
  const kafka = createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'api-key', log })
  const shared = { kafka, topicPrefix: config.KAFKA_TOPIC_PREFIX, log, now: deps.now }
  const relay = startRelay({ ...shared, db: relayDb, raiseVersion: deps.raiseVersion })
  const accounts = startConsumer({
    ...shared,
    db: deps.db,
    group: 'api-key',
    subscriptions: accountSubscriptions(deps),
  })
  const usage = startConsumer({
    ...shared,
    db: deps.db,
    group: 'api-key-usage',
    subscriptions: usageSubscriptions(deps),
    // Audit stores the dead letters of this topic.
    isOnlooker: true,
    fetch: IN_COMPANY,
  })
  return {
    isStuck: () => accounts.progress.isStuck() || usage.progress.isStuck(),
    stop: () => Promise.all([accounts.stop(), usage.stop(), relay.stop()]),
  }
}
