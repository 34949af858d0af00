import { deadLetterTopic, type Topic } from '@tapeline/contracts/topics'
import { createTopics } from '@tapeline/events/topics/create-topics'
import { createKafka } from '@tapeline/events/kafka'
import { silentLogger } from '../silent-logger.ts'
import { testServers } from '../test-servers.ts'

const PARTITIONS = 3

type Kafka = ReturnType<typeof createKafka>
export type TestTopics = { kafka: Kafka; prefix: string; drop: () => Promise<void> }

/** Topics for one test file, with a unique prefix; `drop` them in afterAll. */
export async function openTestTopics(names: readonly Topic[]): Promise<TestTopics> {
  const prefix = `test-${crypto.randomUUID().slice(0, 8)}-`
  const kafka = createKafka({ brokers: testServers().kafkaBrokers, clientId: 'test', log: silentLogger })
  const admin = kafka.admin()
  await admin.connect()
  const topics = names.flatMap((name) => [
    { topic: prefix + name, numPartitions: PARTITIONS },
    { topic: deadLetterTopic(prefix + name), numPartitions: 1 },
  ])
  await createTopics(admin, topics)
  return {
    kafka,
    prefix,
    async drop() {
      await admin.deleteTopics({ topics: topics.map(({ topic }) => topic) })
      await admin.disconnect()
    },
  }
}
