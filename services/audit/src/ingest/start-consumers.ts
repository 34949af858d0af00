import type { OutboxTables } from '@tapeline/database/outbox-table'
import { startRelay } from '@tapeline/events/relay'
import type { Kysely } from 'kysely'
import type { Deps } from '../deps.ts'
import { startDomainConsumer } from './start-domain-consumer.ts'
import { startUsageConsumer, type UsageConsumerOptions } from './start-usage-consumer.ts'

export type ConsumersOptions = UsageConsumerOptions & {
  deps: Pick<Deps, 'db' | 'now' | 'newId' | 'retention'>
  /** The same database, typed for the outbox relay. */
  outbox: Kysely<OutboxTables>
}

/** Starts the consumers of usage events and of the other services' events, and the relay of audit's own. */
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
