import type { OutboxTables } from '@tapeline/database/outbox-table'
import { startRelay } from '@tapeline/events/relay'
import type { Kysely } from 'kysely'
import type { Deps } from '../deps.ts'
import { startDomainConsumer } from './start-domain-consumer.ts'
import { startUsageConsumer, type UsageConsumerOptions } from './start-usage-consumer.ts'

export type ConsumersOptions = UsageConsumerOptions & {
  deps: Pick<Deps, 'db' | 'now' | 'newId' | 'retention'>
  /** The same database, seen as the one whose outbox is sent. */
  outbox: Kysely<OutboxTables>
}

/** Usage into rows and sums, everybody's events into trail and feed, and what audit announces out to Kafka. */
export function startConsumers(options: ConsumersOptions): { isStuck: () => boolean; stop: () => Promise<void> } {
  const { deps, outbox, kafka, topicPrefix, log } = options
  const consumers = [startUsageConsumer(options), startDomainConsumer(options)]
  const relay = startRelay({ db: outbox, kafka, topicPrefix, log, now: deps.now, raiseVersion: async () => true })
  return {
    isStuck: () => consumers.some(({ progress }) => progress.isStuck()),
    async stop() {
      await Promise.all([...consumers, relay].map((one) => one.stop()))
    },
  }
}
