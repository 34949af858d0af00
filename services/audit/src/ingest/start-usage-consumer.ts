import { usageRequestServed } from '@tapeline/contracts/usage/events'
import { type RunningConsumer, startConsumer } from '@tapeline/events/consumer/consume'
import type { ConsumerOptions } from '@tapeline/events/consumer/consumer-options'
import { raiseCompleteUntil } from './progress-queries.ts'
import { type ConsumerDeps, subscriptions } from '../subscriptions.ts'
import type { Tables } from '../tables.ts'

const GROUP = 'audit'
const PARTITIONS_AT_ONCE = 3
const FETCH = {
  /** A transaction costs as much CPU as thirty rows, so a steady stream is batched for a moment. */
  minBytes: 262_144,
  maxWaitTimeInMs: 300,
  /** With a backlog: about 1,600 events per transaction, which add to each sum once. Twice as many gained nothing measurable. */
  maxBytesPerPartition: 2_097_152,
  /** Eight such partitions: the consumer fetches again when all of them are applied, and PostgreSQL waits during that. */
  maxBytes: 16_777_216,
}
/** Maximum age of `as_of` in normal operation. */
const CHECK_EVERY_MS = 2_000

export type UsageConsumerOptions = Pick<ConsumerOptions<Tables>, 'kafka' | 'topicPrefix' | 'log'> & {
  deps: ConsumerDeps
}

/** Reads the usage topic into rows and roll-ups, and records the time until which they are complete. */
export function startUsageConsumer({ deps, kafka, topicPrefix, log }: UsageConsumerOptions): RunningConsumer {
  const { topic } = usageRequestServed
  return startConsumer({
    kafka,
    db: deps.db,
    group: GROUP,
    topicPrefix,
    subscriptions: subscriptions(deps),
    strictTopics: [topic],
    log,
    now: deps.now,
    fetch: FETCH,
    partitionsAtOnce: PARTITIONS_AT_ONCE,
    progress: { checkEveryMs: CHECK_EVERY_MS, onCaughtUp: (at) => raiseCompleteUntil(deps.db, topic, at) },
  })
}
