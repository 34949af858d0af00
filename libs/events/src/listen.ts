import type { Kafka } from 'kafkajs'
import { hearTopics } from './hear-topics.ts'
import { hearingOf, type Listener } from './hearing-of.ts'

export type ListenOptions = {
  kafka: Kafka
  /** Its own for each process: every process hears every event. */
  group: string
  topicPrefix: string
  listeners: readonly Listener[]
}

/** Hears what happens from now on, in memory only: for a process that takes a snapshot at start and keeps nothing. */
export async function listen({
  kafka,
  group,
  topicPrefix,
  listeners,
}: ListenOptions): Promise<{ stop: () => Promise<void> }> {
  return hearTopics({ kafka, group: topicPrefix + group, ...hearingOf(listeners, topicPrefix) })
}
