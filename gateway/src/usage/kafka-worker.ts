import { parentPort, workerData } from 'node:worker_threads'
import { startBroadcastConsumer } from '@tapeline/events/broadcast-consumer'
import { createKafka } from '@tapeline/events/kafka'
import type { Log } from '@tapeline/events/log'
import { shipUsage } from './ship-usage.ts'
import type { KafkaWorkerData, WorkerMessage } from './create-kafka-worker.ts'

// The worker thread for Kafka: ships usage events and receives changes until the main thread stops it. To stay small, it loads
// no other modules: the main thread parses the changes and writes the log lines.

// create-kafka-worker.ts is the only code that creates this value.
const { brokers, clientId, subscription, ...journal } = workerData as KafkaWorkerData
const log = logInMainThread()
const kafka = createKafka({ brokers, clientId, log })
const stopping = new AbortController()
parentPort?.on('message', () => stopping.abort())

const changes = startBroadcastConsumer({
  kafka,
  name: subscription.group,
  topics: subscription.topics,
  onMessage: (value) => value !== null && post({ change: value.toString() }),
  onReceiving: () => post({ isReceiving: true }),
  log,
})
stopping.signal.addEventListener('abort', () => void changes.stop().catch(() => {}))
await shipUsage({ kafka, log, stopping: stopping.signal }, journal)
// Joining a consumer group would keep the thread alive.
process.exit()

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message)
}

function logInMainThread(): Log {
  const level = (name: keyof Log) => (fields: object, message: string) => post({ level: name, fields, message })
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') }
}
