import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import type { Kafka } from 'kafkajs'
import type { Message } from '../src/producer/record-batch.ts'

// Processor time per usage event, memory and processor time of the start of three producers: ours, kafkajs and
// @platformatic/kafka, all idempotent with acks from all replicas. Interleaved rounds, one process each, batches as the gateway's shipper sends them.
//   npm install --no-save @platformatic/kafka@2.12.1
//   node tests/with-servers.ts libs/events/bench/measure-producers.ts [rounds] [batches]

type Send = (batch: Batch) => Promise<void>
type Batch = { block: Buffer; keys: string[]; values: string[]; messages: Message[] }
type Name = 'own' | 'platformatic' | 'kafkajs'
type Cost = { microsPerEvent: number; rssMb: number; startMs: number }

const NAMES: readonly Name[] = ['own', 'platformatic', 'kafkajs']
const EVENTS_PER_BATCH = 500
const VALUE_BYTES = 640
const ACCOUNTS = 50
const WARM_UP_BATCHES = 40
const PARTITIONS = 6
const brokers = [process.env['KAFKA_BROKERS'] ?? '127.0.0.1:9092']

const [, , argument = '5', batches = '200', topicName = ''] = process.argv
const name = NAMES.find((candidate) => candidate === argument)
if (name === undefined) await compare(Number(argument))
else await serve(name)

async function compare(rounds: number): Promise<void> {
  const topic = `bench-${randomUUID()}`
  const admin = (await openKafkajs()).admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic, numPartitions: PARTITIONS }], waitForLeaders: true })
  const costs = new Map<Name, Cost[]>(NAMES.map((each) => [each, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const each of round % 2 === 0 ? NAMES : NAMES.toReversed()) costs.get(each)?.push(await costOf(each, topic))
  }
  for (const [each, found] of costs) {
    const micros = found.map(({ microsPerEvent }) => microsPerEvent)
    const rssMb = median(found.map((cost) => cost.rssMb)).toFixed(0)
    const startMs = median(found.map((cost) => cost.startMs)).toFixed(0)
    const all = micros.map((cost) => cost.toFixed(2)).join(' ')
    print(
      `${each}: ${all} µs per event, median ${median(micros).toFixed(2)}; RSS ${rssMb} MB; start ${startMs} ms of processor time`,
    )
  }
  await admin.deleteTopics({ topics: [topic] })
  await admin.disconnect()
}

async function costOf(each: Name, topic: string): Promise<Cost> {
  const child: ChildProcess = fork(import.meta.filename, [each, batches, topic])
  const [cost]: [Cost] = (await once(child, 'message')) as [Cost]
  await once(child, 'exit')
  return cost
}

async function serve(each: Name): Promise<void> {
  const { send, close } = await open(each)
  const batch = makeBatch()
  await send(batch)
  const start = process.cpuUsage()
  for (let n = 0; n < WARM_UP_BATCHES; n += 1) await send(batch)
  const before = process.cpuUsage()
  for (let n = 0; n < Number(batches); n += 1) await send(batch)
  const { user, system } = process.cpuUsage(before)
  const cost: Cost = {
    microsPerEvent: (user + system) / (Number(batches) * EVENTS_PER_BATCH),
    rssMb: process.memoryUsage.rss() / 1e6,
    startMs: (start.user + start.system) / 1_000,
  }
  process.send?.(cost)
  await close()
  process.exit()
}

async function open(each: Name): Promise<{ send: Send; close: () => Promise<void> }> {
  if (each === 'platformatic') return openPlatformatic()
  const kafka = await openKafkajs()
  if (each === 'own') {
    const { BlockProducer } = await import('../src/producer/block-producer.ts')
    const producer = await BlockProducer.connect(kafka, topicName)
    return {
      send: async ({ block, messages }) => producer.send(block, messages),
      close: async () => producer.disconnect(),
    }
  }
  const { createProducer } = await import('../src/kafka.ts')
  const producer = createProducer(kafka)
  await producer.connect()
  return {
    async send({ keys, values }) {
      const messages = values.map((value, n) => ({ key: keys[n] ?? null, value }))
      await producer.send({ topic: topicName, messages, acks: -1 })
    },
    close: async () => producer.disconnect(),
  }
}

/** Imported late: a process loads only the client that it measures. */
async function openKafkajs(): Promise<Kafka> {
  const kafkajs = await import('kafkajs')
  return new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING })
}

async function openPlatformatic(): Promise<{ send: Send; close: () => Promise<void> }> {
  const specifier = '@platformatic/kafka'
  const { Producer } = await import(specifier)
  const producer = new Producer({ clientId: 'bench', bootstrapBrokers: brokers, idempotent: true, acks: -1 })
  return {
    async send({ block, messages }) {
      await producer.send({
        messages: messages.map(({ key, keyEnd, value, end }) => ({
          topic: topicName,
          key: block.subarray(key, keyEnd),
          value: block.subarray(value, end),
        })),
      })
    },
    close: async () => producer.close(),
  }
}

/** Events as in the gateway's journal: "key value" per line, in one block. */
function makeBatch(): Batch {
  const accounts = Array.from({ length: ACCOUNTS }, () => randomUUID())
  const keys = Array.from({ length: EVENTS_PER_BATCH }, (_value, n) => accounts[n % ACCOUNTS] ?? '')
  const values = keys.map((account) => JSON.stringify({ account, filler: 'x'.repeat(VALUE_BYTES - account.length) }))
  let at = 0
  const messages = keys.map((key, n) => {
    const value = at + key.length + 1
    const message = { key: at, keyEnd: at + key.length, value, end: value + (values[n]?.length ?? 0) }
    at = message.end + 1
    return message
  })
  return { block: Buffer.from(keys.map((key, n) => `${key} ${values[n]}\n`).join('')), keys, values, messages }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
