import { type RunningConsumer, startConsumer } from '@tapeline/events/consumer/consume'
import type { UsageConsumerOptions } from './start-usage-consumer.ts'
import { domainSubscriptions } from '../subscriptions.ts'

/** Its own group: how far the usage rows are complete has nothing to do with the other topics. */
const GROUP = 'audit-domain'

/** Reads the topics of the other services into the audit trail, the feed and the open streams. */
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
