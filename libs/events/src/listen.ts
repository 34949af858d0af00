import type { Event, EventDefinition } from '@tapeline/contracts/event'
import type { Kafka } from 'kafkajs'
import { CONSUMER_OPTIONS } from './kafka.ts'
import { createParser } from './parse-message.ts'

export type Listener = { definition: EventDefinition; hear: (event: Event<unknown>) => void }
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
  const parse = createParser(
    listeners.map(({ definition }) => definition),
    false,
  )
  const topics = [...new Set(listeners.map(({ definition }) => topicPrefix + definition.topic))]
  const consumer = kafka.consumer({ groupId: topicPrefix + group, ...CONSUMER_OPTIONS })
  try {
    await consumer.connect()
    await consumer.subscribe({ topics, fromBeginning: false })
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message }) => {
        const parsed = parse(message.value)
        if (!('event' in parsed)) return
        for (const { definition, hear } of listeners) if (definition.type === parsed.event.type) hear(parsed.event)
      },
    })
  } catch (error) {
    await consumer.disconnect().catch(() => {})
    throw error
  }
  return { stop: () => consumer.disconnect() }
}
