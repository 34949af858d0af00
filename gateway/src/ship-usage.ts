import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { usageRequestServed } from '@tapeline/contracts/usage/events'
import { BlockProducer } from '@tapeline/events/block-producer'
import { createKafka } from '@tapeline/events/kafka'
import { createLogger } from '@tapeline/service/logger'
import { type Chunk, JournalReader } from './journal-reader.ts'
import type { ShipperData } from './start-shipper.ts'

// A thread of its own: sends the journal to Kafka, in order, until it is told to stop.

/** What comes in this time travels together: a request to Kafka costs as much as hundreds of events in it. */
const GATHER_MS = 100
/** So much at once means that more is waiting. */
const FULL_BYTES = 262_144
const RETRY_MS = 500
const LAST_ROUNDS_MS = 1_500

// The thread's starter is the only one that makes this value.
const { dir, adopted, brokers, topicPrefix, clientId, logLevel, freed } = workerData as ShipperData
const logger = createLogger('gateway', logLevel).child({ part: 'shipper' })
const kafka = createKafka({ brokers, clientId, log: logger })
const topic = topicPrefix + usageRequestServed.topic
let producer: BlockProducer | undefined
let stopAtMs = Infinity
let isToldOf = false

parentPort?.on('message', () => {
  stopAtMs = Date.now() + LAST_ROUNDS_MS
})

for (const folder of adopted) await shipAll(new JournalReader(folder, true))
const own = new JournalReader(dir, false)
if (freed[0] === 0) freed[0] = own.acknowledgedAtStart()
while (Date.now() < stopAtMs) {
  const shipped = await shipNext(own)
  freed[0] = (freed[0] ?? 0) + (shipped?.bytes ?? 0)
  if (shipped !== undefined && (shipped.bytes >= FULL_BYTES || stopAtMs !== Infinity)) continue
  if (stopAtMs !== Infinity) break
  await delay(GATHER_MS)
}
own.finish()
await producer?.disconnect().catch(() => {})
parentPort?.close()

async function shipAll(reader: JournalReader): Promise<void> {
  while (Date.now() < stopAtMs) {
    if ((await shipNext(reader)) !== undefined) continue
    if (Date.now() < stopAtMs) reader.finish()
    return
  }
}

/** What was acknowledged; undefined when there was nothing to send, or no more time. */
async function shipNext(reader: JournalReader): Promise<Chunk | undefined> {
  const chunk = reader.next()
  if (chunk === undefined) return undefined
  while (!(await send(chunk))) {
    if (Date.now() >= stopAtMs) return undefined
    await delay(RETRY_MS)
  }
  reader.acknowledge(chunk)
  return chunk
}

/** A producer that failed is thrown away: what it sent once may arrive twice, and is dropped there by its event id. */
async function send({ block, messages }: Chunk): Promise<boolean> {
  if (messages.length === 0) return true
  try {
    producer ??= await BlockProducer.connect(kafka, topic)
    await producer.send(block, messages)
    if (isToldOf) logger.info('usage events reach Kafka again')
    isToldOf = false
    return true
  } catch (err) {
    if (!isToldOf) logger.warn({ error: String(err), events: messages.length }, 'usage events wait for Kafka')
    isToldOf = true
    await producer?.disconnect().catch(() => {})
    producer = undefined
    return false
  }
}
