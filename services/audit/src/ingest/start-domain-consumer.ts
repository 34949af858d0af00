import { type RunningConsumer, startConsumer } from '@tapeline/events/consumer/consume'
import type { UsageConsumerOptions } from './start-usage-consumer.ts'
import { domainSubscriptions } from '../subscriptions.ts'

/** A separate group, so that the other topics do not affect how far the usage rows are complete. */
const GROUP = 'audit-domain'

/** Reads the topics of the other services into the audit trail, notifications and open streams. */
export function startDomainConsumer({ deps, kafka, topicPrefix, log }: UsageConsumerOptions): RunningConsumer {
  return startConsumer({
    kafka,
    db: deps.db,
    group: GROUP,
    topicPrefix,
    subscriptions: domainSubscriptions(deps),
    log,
    now: deps.now,
  })
}
