import { deadLetterTopic, TOPICS, type TopicSettings } from '@tapeline/contracts/topics'
import { createTopics } from './create-topics.ts'
import { createKafka } from '../kafka.ts'

/** `default.replication.factor` of the brokers. */
const BROKER_DEFAULT = -1

/** Creates every missing topic of the contracts. */
async function makeTopics(brokers: string, prefix: string, replicationFactor: number): Promise<void> {
  const log = { debug: () => {}, info: () => {}, warn: warnLine, error: warnLine }
  const admin = createKafka({ brokers, clientId: 'tapeline-migrate', log }).admin()
  await admin.connect()
  try {
    const topics = Object.entries<TopicSettings>(TOPICS).flatMap(([name, { partitions, retentionMs }]) => [
      { topic: prefix + name, numPartitions: partitions, replicationFactor, configEntries: retention(retentionMs) },
      { topic: prefix + deadLetterTopic(name), numPartitions: 1, replicationFactor },
    ])
    const created = await createTopics(admin, topics)
    process.stdout.write(`topics: ${created ? `${topics.length} created` : 'up to date'}\n`)
  } finally {
    await admin.disconnect()
  }
}

/** Kafka deletes whole segments, so these are as long as what they may keep. */
function retention(retentionMs: number | undefined): { name: string; value: string }[] {
  if (retentionMs === undefined) return []
  const value = String(retentionMs)
  return [
    { name: 'retention.ms', value },
    { name: 'segment.ms', value },
  ]
}

function warnLine(fields: object, message: string): void {
  process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
}

const brokers = process.env.KAFKA_BROKERS
if (brokers === undefined) {
  process.stderr.write('topics: KAFKA_BROKERS is missing\n')
  process.exit(1)
}
const replicationFactor = Number(process.env.KAFKA_REPLICATION_FACTOR || BROKER_DEFAULT)
if (!Number.isInteger(replicationFactor)) {
  process.stderr.write('topics: KAFKA_REPLICATION_FACTOR is not a whole number\n')
  process.exit(1)
}
await makeTopics(brokers, process.env.KAFKA_TOPIC_PREFIX ?? '', replicationFactor)
