import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONSUMER_OPTIONS, createKafka } from '@tapeline/events/kafka'
import { openCluster } from '@tapeline/events/producer/kafka-cluster'
import { createTopics } from '@tapeline/events/topics/create-topics'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KafkaBrokers, startKafkaBrokers } from './kafka-brokers.ts'

const TOPIC = 'numbers'
const GROUP = 'readers'
const PARTITIONS = 4
const SEND_EVERY_MS = 100
const BACK_WITHIN_MS = 60_000
/** More than one, because the first may have been under way. */
const HEARTBEATS = 3

let kafka: KafkaBrokers
beforeAll(async () => {
  kafka = await startKafkaBrokers(mkdtempSync(join(tmpdir(), 'tapeline-brokers-')))
  const admin = client('admin').admin()
  await admin.connect()
  await createTopics(admin, [{ topic: TOPIC, numPartitions: PARTITIONS, replicationFactor: 3 }])
  await admin.disconnect()
}, 120_000)
afterAll(() => kafka.stop())

function client(clientId: string) {
  return createKafka({ brokers: kafka.brokers, clientId, log: silentLogger })
}

test('members of a group go on without the broker that coordinated it, and stay members', async () => {
  const members = await Promise.all(['one', 'other'].map(startMember))
  const sender = await startSending()
  await waitUntil('both have partitions', () => members.every(({ partitions }) => partitions.size > 0), BACK_WITHIN_MS)
  const joins = members.map((member) => member.joins)
  const coordinator = kafka.parts[(await coordinatorOf(GROUP)) - 1]
  await coordinator?.kill()
  await expectProgress(members)
  await coordinator?.restart()
  await expectProgress(members)
  expect(members.map((member) => member.joins)).toEqual(joins)
  await sender.stop()
  await Promise.all(members.map(({ stop }) => stop()))
})

type Member = Awaited<ReturnType<typeof startMember>>

async function startMember(clientId: string) {
  const consumer = client(clientId).consumer({ ...CONSUMER_OPTIONS, groupId: GROUP })
  const member = { joins: 0, heartbeats: 0, partitions: new Set<number>(), stop: () => consumer.disconnect() }
  consumer.on(consumer.events.GROUP_JOIN, () => void (member.joins += 1))
  consumer.on(consumer.events.HEARTBEAT, () => void (member.heartbeats += 1))
  await consumer.connect()
  await consumer.subscribe({ topics: [TOPIC], fromBeginning: false })
  await consumer.run({ eachMessage: async ({ partition }) => void member.partitions.add(partition) })
  return member
}

/** All partitions are read, and the coordinator answers both members. */
async function expectProgress(members: Member[]): Promise<void> {
  const before = members.map(({ heartbeats }) => heartbeats)
  for (const { partitions } of members) partitions.clear()
  await waitUntil(
    'both members send heartbeats',
    () => members.every(({ heartbeats }, n) => heartbeats >= (before[n] ?? 0) + HEARTBEATS),
    BACK_WITHIN_MS,
  )
  await waitUntil(
    'all partitions are read',
    () => members.reduce((sum, { partitions }) => sum + partitions.size, 0) === PARTITIONS,
    BACK_WITHIN_MS,
  )
}

/** One message to each partition at a time; those of an interrupted send are lost. */
async function startSending() {
  const producer = client('sender').producer()
  await producer.connect()
  const messages = Array.from({ length: PARTITIONS }, (_message, partition) => ({ partition, value: 'a number' }))
  const send = () => void producer.send({ topic: TOPIC, messages }).catch(() => {})
  const timer = setInterval(send, SEND_EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await producer.disconnect()
    },
  }
}

/** Its number. */
async function coordinatorOf(groupId: string): Promise<number> {
  const cluster = openCluster(client('finder')) as ReturnType<typeof openCluster> & {
    findGroupCoordinator: (group: { groupId: string }) => Promise<{ nodeId: number }>
  }
  await cluster.connect()
  const { nodeId } = await cluster.findGroupCoordinator({ groupId })
  await cluster.disconnect()
  return nodeId
}
