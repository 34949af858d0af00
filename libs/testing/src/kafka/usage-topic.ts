import { usageRequestServed } from '@tapeline/contracts/usage/events'
import { createKafka } from '@tapeline/events/kafka'
import pg from 'pg'
import { silentLogger } from '../silent-logger.ts'

export type TopicAddresses = { kafkaBrokers: string; topicPrefix: string }
export type Message = { key: string; value: string }

const READ_WITHIN_MS = 60_000
/** Well below the maximum request size of a broker. */
const MESSAGES_AT_ONCE = 200

/** Sends messages to the usage topic as a gateway would, without validation. */
export async function sendToUsageTopic(addresses: TopicAddresses, messages: readonly Message[]): Promise<void> {
  const producer = connect(addresses).producer({ allowAutoTopicCreation: false })
  await producer.connect()
  try {
    for (let from = 0; from < messages.length; from += MESSAGES_AT_ONCE) {
      const some = messages.slice(from, from + MESSAGES_AT_ONCE)
      await producer.send({ topic: topicOf(addresses), acks: -1, messages: some })
    }
  } finally {
    await producer.disconnect()
  }
}

/** All messages of the usage topic (or another one), in order per partition. */
export async function readUsageTopic(addresses: TopicAddresses, suffix = ''): Promise<Message[]> {
  const kafka = connect(addresses)
  const topic = topicOf(addresses) + suffix
  const admin = kafka.admin()
  await admin.connect()
  const ends = await admin.fetchTopicOffsets(topic).finally(() => admin.disconnect())
  const remaining = new Map(
    ends.flatMap(({ partition, low, high }) => (low === high ? [] : [[partition, Number(high)]])),
  )
  if (remaining.size === 0) return []
  const messages: Message[] = []
  const { promise: isRead, resolve, reject } = Promise.withResolvers<void>()
  const consumer = kafka.consumer({ groupId: `${addresses.topicPrefix}reader-${crypto.randomUUID()}` })
  const timer = setTimeout(() => reject(new Error(`${topic} could not be read`)), READ_WITHIN_MS)
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ partition, message }) => {
        const end = remaining.get(partition)
        if (end === undefined) return
        messages.push({ key: String(message.key), value: String(message.value) })
        if (Number(message.offset) + 1 >= end) remaining.delete(partition)
        if (remaining.size === 0) resolve()
      },
    })
    await isRead
  } finally {
    clearTimeout(timer)
    await consumer.disconnect()
  }
  return messages
}

/** Whether audit has applied the usage topic to its end. */
export async function isUsageTopicApplied(addresses: TopicAddresses, auditDatabaseUrl: string): Promise<boolean> {
  const admin = connect(addresses).admin()
  const client = new pg.Client({ connectionString: auditDatabaseUrl })
  await Promise.all([admin.connect(), client.connect()])
  try {
    const topic = topicOf(addresses)
    const ends = await admin.fetchTopicOffsets(topic)
    const { rows } = await client.query<{ partition: number; next_offset: string }>(
      'select partition, next_offset from consumer_offset where topic = $1',
      [topic],
    )
    const applied = new Map(rows.map(({ partition, next_offset }) => [partition, Number(next_offset)]))
    return ends.every(({ partition, low, high }) => (applied.get(partition) ?? Number(low)) >= Number(high))
  } finally {
    await Promise.all([admin.disconnect(), client.end()])
  }
}

function connect({ kafkaBrokers }: TopicAddresses) {
  return createKafka({ brokers: kafkaBrokers, clientId: 'test', log: silentLogger })
}

function topicOf({ topicPrefix }: TopicAddresses): string {
  return topicPrefix + usageRequestServed.topic
}
