import { CONSUMER_OPTIONS, createKafka } from '@tapeline/events/kafka'
import { openCluster } from '@tapeline/events/producer/kafka-cluster'
import { createTopics } from '@tapeline/events/topics/create-topics'
import { silentLogger } from '../silent-logger.ts'

const SEND_EVERY_MS = 100

export type Member = Awaited<ReturnType<typeof startMember>>
type GroupOfTopic = { brokers: string; group: string; topic: string }

function client(brokers: string, clientId: string) {
  return createKafka({ brokers, clientId, log: silentLogger })
}

/** A topic for one test. */
export async function createTopic(brokers: string, topic: string, partitions: number, replicas: number): Promise<void> {
  const admin = client(brokers, 'admin').admin()
  await admin.connect()
  await createTopics(admin, [{ topic, numPartitions: partitions, replicationFactor: replicas }])
  await admin.disconnect()
}

/** A consumer with the options of the services; counts its joins and heartbeats and notes the partitions that it reads. */
export async function startMember(clientId: string, { brokers, group, topic }: GroupOfTopic) {
  const consumer = client(brokers, clientId).consumer({ ...CONSUMER_OPTIONS, groupId: group })
  const member = { joins: 0, heartbeats: 0, partitions: new Set<number>(), stop: () => consumer.disconnect() }
  consumer.on(consumer.events.GROUP_JOIN, () => void (member.joins += 1))
  consumer.on(consumer.events.HEARTBEAT, () => void (member.heartbeats += 1))
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: false })
  await consumer.run({ eachMessage: async ({ partition }) => void member.partitions.add(partition) })
  return member
}

/** Sends a message to each partition every 100 ms; those of a failed send are lost. */
export async function startSending(brokers: string, topic: string, partitions: number) {
  const producer = client(brokers, 'sender').producer()
  await producer.connect()
  const messages = Array.from({ length: partitions }, (_message, partition) => ({ partition, value: 'a message' }))
  const send = () => void producer.send({ topic, messages }).catch(() => {})
  const timer = setInterval(send, SEND_EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await producer.disconnect()
    },
  }
}

/** Number of the broker that coordinates a group. */
export async function coordinatorOf({ brokers, group }: Pick<GroupOfTopic, 'brokers' | 'group'>): Promise<number> {
  const cluster = openCluster(client(brokers, 'finder')) as ReturnType<typeof openCluster> & {
    findGroupCoordinator: (group: { groupId: string }) => Promise<{ nodeId: number }>
  }
  await cluster.connect()
  const { nodeId } = await cluster.findGroupCoordinator({ groupId: group })
  await cluster.disconnect()
  return nodeId
}
