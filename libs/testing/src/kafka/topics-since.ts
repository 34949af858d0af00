import { createKafka } from '@tapeline/events/kafka'
import { silentLogger } from '../silent-logger.ts'

/** End offset of each partition of each topic. */
export type TopicEnds = Map<string, Map<number, number>>
type Addresses = { kafkaBrokers: string; topicPrefix: string }

const READ_WITHIN_MS = 60_000

/** The end offset of each partition of all topics with the prefix. */
export async function topicEnds({ kafkaBrokers, topicPrefix }: Addresses): Promise<TopicEnds> {
  const admin = connect(kafkaBrokers).admin()
  await admin.connect()
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(topicPrefix))
    const ends: TopicEnds = new Map()
    for (const topic of topics) {
      const partitions = await admin.fetchTopicOffsets(topic)
      ends.set(topic, new Map(partitions.map(({ partition, high }) => [partition, Number(high)])))
    }
    return ends
  } finally {
    await admin.disconnect()
  }
}

/** All messages since then, of every topic: keys, values and headers as text. */
export async function messagesSince(
  addresses: Addresses,
  since: TopicEnds,
): Promise<{ topic: string; text: string }[]> {
  const remaining = missing(since, await topicEnds(addresses))
  if (remaining.size === 0) return []
  const consumer = connect(addresses.kafkaBrokers).consumer({
    groupId: `${addresses.topicPrefix}reader-${crypto.randomUUID()}`,
  })
  const messages: { topic: string; text: string }[] = []
  const { promise: isRead, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error('the topics could not be read')), READ_WITHIN_MS)
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [...since.keys()], fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ topic, partition, message: { key, value, headers, offset } }) => {
        const name = nameOf(topic, partition)
        const end = remaining.get(name)
        if (end === undefined) return
        messages.push({ topic, text: [key, value, JSON.stringify(headers)].map(String).join(' ') })
        if (Number(offset) + 1 >= end) remaining.delete(name)
        if (remaining.size === 0) resolve()
      },
    })
    for (const [topic, partitions] of since) {
      for (const [partition, offset] of partitions) consumer.seek({ topic, partition, offset: String(offset) })
    }
    await isRead
  } finally {
    clearTimeout(timer)
    await consumer.disconnect()
  }
  return messages
}

/** End offsets of the partitions with new messages. */
function missing(since: TopicEnds, ends: TopicEnds): Map<string, number> {
  const remaining = new Map<string, number>()
  for (const [topic, partitions] of ends) {
    for (const [partition, end] of partitions) {
      if (end > (since.get(topic)?.get(partition) ?? 0)) remaining.set(nameOf(topic, partition), end)
    }
  }
  return remaining
}

function nameOf(topic: string, partition: number): string {
  return `${topic}/${partition}`
}

function connect(brokers: string) {
  return createKafka({ brokers, clientId: 'test', log: silentLogger })
}
