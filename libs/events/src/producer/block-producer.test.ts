import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Kafka, logLevel, Partitioners } from 'kafkajs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BlockProducer } from './block-producer.ts'
import { openCluster } from './kafka-cluster.ts'
import type { Message } from './record-batch.ts'

type Received = { partition: number; key: string; value: string; timestamp: number }

const topics = await openTestTopics(['usage'])
const topic = `${topics.prefix}usage`
const reader = topics.kafka.consumer({ groupId: `${topics.prefix}reader`, maxWaitTimeInMs: 50 })
const received: Received[] = []
const PARTITIONS = 3

beforeAll(async () => {
  await reader.connect()
  await reader.subscribe({ topics: [topic], fromBeginning: true })
  await reader.run({
    eachMessage: async ({ partition, message: { key, value, timestamp } }) => {
      received.push({ partition, key: String(key), value: String(value), timestamp: Number(timestamp) })
    },
  })
})
afterAll(async () => {
  await reader.disconnect()
  await topics.drop()
})

type Sent = { key: string; value: string }

/** The messages concatenated in one block, as a journal stores them. */
function blockOf(sent: readonly Sent[]): { block: Buffer; messages: Message[] } {
  let at = 0
  const messages = sent.map(({ key, value }) => {
    const keyEnd = at + Buffer.byteLength(key)
    const message = { key: at, keyEnd, value: keyEnd + 1, end: keyEnd + 1 + Buffer.byteLength(value) }
    at = message.end + 1
    return message
  })
  return { block: Buffer.from(sent.map(({ key, value }) => `${key} ${value}\n`).join('')), messages }
}

async function receivedOf(keys: readonly string[], count: number): Promise<Received[]> {
  const found = (): Received[] => received.filter(({ key }) => keys.includes(key))
  await waitUntil(`${count} messages arrived`, () => found().length >= count)
  return found()
}

test('messages of all lengths arrive intact, in order per key, on the partition kafkajs chooses', async () => {
  const keys = Array.from({ length: 12 }, () => crypto.randomUUID())
  const lengths = [0, 1, 31, 32, 63, 64, 65, 127, 128, 4_095, 4_096, 8_191, 8_192, 70_000]
  const sent = Array.from({ length: 700 }, (_value, n) => ({
    key: keys[n % keys.length] ?? '',
    value: `${n} é ${'x'.repeat(n < lengths.length ? (lengths[n] ?? 0) : n % 200)}`,
  }))
  const producer = await BlockProducer.connect(topics.kafka, topic)
  const before = Date.now()
  for (const part of [sent.slice(0, 20), sent.slice(20, 21), sent.slice(21)]) {
    const { block, messages } = blockOf(part)
    await producer.send(block, messages)
  }
  await producer.disconnect()
  const arrived = await receivedOf(keys, sent.length)

  const partitionOf = Partitioners.DefaultPartitioner()
  const partitionMetadata = Array.from({ length: PARTITIONS }, (_value, partitionId) => ({
    partitionId,
    leader: 1,
    partitionErrorCode: 0,
    replicas: [],
    isr: [],
  }))
  for (const key of keys) {
    const of = arrived.filter((one) => one.key === key)
    expect(of.map(({ value }) => value)).toEqual(sent.filter((one) => one.key === key).map(({ value }) => value))
    const partition = partitionOf({ topic, partitionMetadata, message: { key, value: null } })
    expect(new Set(of.map((one) => one.partition))).toEqual(new Set([partition]))
    expect(Math.abs((of[0]?.timestamp ?? 0) - before)).toBeLessThan(60_000)
  }
})

test('a broken connection is replaced, and nothing is sent twice', async () => {
  const key = crypto.randomUUID()
  const sockets: Socket[] = []
  const kafka = new Kafka({
    brokers: testServers().kafkaBrokers.split(','),
    logLevel: logLevel.NOTHING,
    socketFactory: ({ host, port, onConnect }) => {
      const socket = connect({ host, port }, onConnect)
      sockets.push(socket)
      return socket
    },
  })
  const producer = await BlockProducer.connect(kafka, topic)
  const send = async (value: string): Promise<void> => {
    const { block, messages } = blockOf([{ key, value }])
    await producer.send(block, messages)
  }
  await send('1')
  for (const socket of sockets.splice(0)) socket.destroy(new Error('broken'))
  await send('2')
  await send('3')
  expect(sockets.length).toBeGreaterThan(0)
  await producer.disconnect()
  const arrived = await receivedOf([key], 3)
  expect(arrived.map(({ value }) => value)).toEqual(['1', '2', '3'])
})

test('a batch that the broker already has is not an error and is stored once', async () => {
  const key = crypto.randomUUID()
  const producer = await BlockProducer.connect(topics.kafka, topic)
  const { block, messages } = blockOf([{ key, value: 'once' }])
  await producer.send(block, messages)
  // Simulates a lost response: the batch was stored, and its sequence number is used again.
  Reflect.get(producer, 'sequences').clear()
  await producer.send(block, messages)
  const last = blockOf([{ key, value: 'last' }])
  await producer.send(last.block, last.messages)
  await producer.disconnect()
  const arrived = await receivedOf([key], 2)
  expect(arrived.map(({ value }) => value)).toEqual(['once', 'last'])
})

test('a missing topic is reported as an error', async () => {
  await expect(BlockProducer.connect(topics.kafka, `${topics.prefix}nothing`)).rejects.toThrow()
})

test('a kafkajs without the required internals is rejected at the start', () => {
  // @ts-expect-error simulates a later version
  expect(() => openCluster({})).toThrow('kafkajs')
})
