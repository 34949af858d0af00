import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely } from 'kysely'
import type { Admin, Batch, Consumer, Kafka } from 'kafkajs'
import type { Work } from './consumer-options.ts'
import { findNextOffset, listNextOffsets, markApplied } from './consumer-queries.ts'

/**
 * Compares the first batch of a new assignment with the offset in PostgreSQL, which is authoritative. After a
 * database restore, reading resumes from the restored offset; a recreated topic is read from its beginning.
 * @returns false when the consumer was moved to another offset and the batch must be dropped
 */
export async function goToNextOffset<Tables extends ConsumerTables>(
  { options, inPlace }: Work<Tables>,
  consumer: Consumer,
  { topic, partition, messages, highWatermark }: Batch,
): Promise<boolean> {
  const place = `${topic}/${partition}`
  if (inPlace.has(place) || messages[0] === undefined) return true
  const first = BigInt(messages[0].offset)
  const db = options.db as unknown as Kysely<ConsumerTables>
  const next = (await findNextOffset(db, topic, partition)) ?? 0n
  if (next >= first && next <= BigInt(highWatermark)) {
    inPlace.add(place)
    return true
  }
  const bounds = await boundsOf(options.kafka, topic, partition)
  if (next > bounds.high) {
    options.log.warn(
      { topic, partition, next: String(next), high: String(bounds.high) },
      'consumer: the topic was recreated; reading from its beginning',
    )
    await markApplied(db, topic, partition, bounds.low)
  }
  inPlace.add(place)
  if (first <= larger(next, bounds.low)) return true
  consumer.seek({ topic, partition, offset: String(larger(next, bounds.low)) })
  return false
}

/**
 * Moves the partitions of a new assignment back to the offset in PostgreSQL where Kafka's is higher, as after a database
 * restore: without new messages there is no batch for `goToNextOffset` to compare.
 */
export async function goBackToNextOffsets<Tables extends ConsumerTables>(
  { options }: Work<Tables>,
  consumer: Consumer,
  assignment: Record<string, number[]>,
): Promise<void> {
  const { kafka, topicPrefix, group, log } = options
  const offsets = { groupId: topicPrefix + group, topics: Object.keys(assignment) }
  const committed = await withAdmin(kafka, (admin) => admin.fetchOffsets(offsets))
  // Read after Kafka's offsets, which are committed later than these: only a restore makes them lower.
  const applied = await listNextOffsets(options.db as unknown as Kysely<ConsumerTables>)
  for (const { topic, partitions } of committed) {
    for (const { partition, offset } of partitions) {
      const next = applied.get(`${topic}/${partition}`) ?? 0n
      if (!assignment[topic]?.includes(partition) || BigInt(offset) <= next) continue
      log.warn(
        { group, topic, partition, next: String(next), committed: offset },
        'consumer: the offset in PostgreSQL is lower than in Kafka, as after a restore; reading again from it',
      )
      consumer.seek({ topic, partition, offset: String(next) })
    }
  }
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

async function boundsOf(kafka: Kafka, topic: string, partition: number): Promise<{ low: bigint; high: bigint }> {
  const offsets = await withAdmin(kafka, (admin) => admin.fetchTopicOffsets(topic))
  const bounds = offsets.find((one) => one.partition === partition)
  return { low: BigInt(bounds?.low ?? 0), high: BigInt(bounds?.high ?? 0) }
}

async function withAdmin<T>(kafka: Kafka, use: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    return await use(admin)
  } finally {
    await admin.disconnect()
  }
}
