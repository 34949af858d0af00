import { parentPort, workerData } from 'node:worker_threads'
import { startBroadcastConsumer } from '@tapeline/events/broadcast-consumer'
import { createKafka } from '@tapeline/events/kafka'
import type { Log } from '@tapeline/events/log'
import { shipUsage } from './ship-usage.ts'
import type { KafkaWorkerData, Said } from './create-kafka-worker.ts'

// A thread of its own for all that has to do with Kafka: ships usage events and hears of changes, until it is told to stop.
// It loads no more than that needs: what is heard is read, and what is to be logged is written, by the main thread.

// The thread's starter is the only one that makes this value.
const { brokers, clientId, hears, ...journal } = workerData as KafkaWorkerData
const log = logThere()
const kafka = createKafka({ brokers, clientId, log })
const stopping = new AbortController()
parentPort?.on('message', () => stopping.abort())

const changes = startBroadcastConsumer({
  kafka,
  name: hears.group,
  topics: hears.topics,
  onMessage: (value) => value !== null && say({ heard: value.toString() }),
  log,
})
stopping.signal.addEventListener('abort', () => void changes.stop().catch(() => {}))
await shipUsage({ kafka, log, stopping: stopping.signal }, journal)
// A group that is still being joined would keep the thread.
process.exit()

function say(said: Said): void {
  parentPort?.postMessage(said)
}

function logThere(): Log {
  const level = (name: keyof Log) => (fields: object, message: string) => say({ level: name, fields, message })
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') }
}
