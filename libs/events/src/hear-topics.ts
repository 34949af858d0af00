import type { Kafka } from 'kafkajs'
import { CONSUMER_OPTIONS } from './kafka.ts'

export type HearOptions = {
  kafka: Kafka
  /** Its own for each process: every process hears everything. */
  group: string
  topics: readonly string[]
  hear: (value: Buffer | null) => void
}

/** Hears what is said from now on, in memory only and as it came. */
export async function hearTopics({ kafka, group, topics, hear }: HearOptions): Promise<{ stop: () => Promise<void> }> {
  const consumer = kafka.consumer({ groupId: group, ...CONSUMER_OPTIONS })
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [...topics], fromBeginning: false })
    await consumer.run({ autoCommit: false, eachMessage: async ({ message }) => hear(message.value) })
  } catch (error) {
    await consumer.disconnect().catch(() => {})
    throw error
  }
  return { stop: () => consumer.disconnect() }
}
