import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely } from 'kysely'
import type { Batch, Consumer, Kafka } from 'kafkajs'
import type { Work } from './consumer-options.ts'
import { findNextOffset, markApplied } from './consumer-queries.ts'

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
      'topic was recreated; reading from its beginning',
    )
    await markApplied(db, topic, partition, bounds.low)
  }
  inPlace.add(place)
  if (first <= larger(next, bounds.low)) return true
  consumer.seek({ topic, partition, offset: String(larger(next, bounds.low)) })
  return false
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

async function boundsOf(kafka: Kafka, topic: string, partition: number): Promise<{ low: bigint; high: bigint }> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    const bounds = (await admin.fetchTopicOffsets(topic)).find((one) => one.partition === partition)
    return { low: BigInt(bounds?.low ?? 0), high: BigInt(bounds?.high ?? 0) }
  } finally {
    await admin.disconnect()
  }
}
