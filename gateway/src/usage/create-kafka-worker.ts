import { Worker } from 'node:worker_threads'
import type { Log } from '@tapeline/events/log'
import type { Logger } from '@tapeline/service/logger'
import type { JournalToShip } from './ship-usage.ts'

export type KafkaWorkerData = JournalToShip & {
  brokers: string
  clientId: string
  /** Topics whose messages are told to the main thread, and the kind of group that reads them. */
  hears: { topics: string[]; group: string }
}
/** What the thread tells. */
export type Said = { heard: string } | { level: keyof Log; fields: object; message: string }
export type KafkaWorker = { start: () => void; stop: () => Promise<void> }

const STOP_TIMEOUT_MS = 3_000
const RESTART_MS = 1_000
/** Bytes are copied, not made into objects: the thread needs no room for young ones. */
const HEAP = { maxYoungGenerationSizeMb: 6 }

/** The thread of Kafka; whenever it dies it is started again: what it had not acknowledged is still in the journal. */
export function createKafkaWorker(data: KafkaWorkerData, logger: Logger, hear: (value: string) => void): KafkaWorker {
  const log = logger.child({ part: 'kafka' })
  let isStopping = false
  let worker: Worker | undefined

  function start(): void {
    if (isStopping) return
    worker = new Worker(new URL('kafka-worker.ts', import.meta.url), { workerData: data, resourceLimits: HEAP })
    worker.on('message', (said: Said) => {
      if ('heard' in said) hear(said.heard)
      else log[said.level](said.fields, said.message)
    })
    worker.on('error', (err) => log.error({ err }, 'the thread of Kafka failed and is started again'))
    worker.once('exit', () => {
      if (!isStopping) setTimeout(start, RESTART_MS)
    })
  }

  return {
    start,
    async stop() {
      isStopping = true
      if (worker === undefined) return
      const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
      worker.once('exit', () => end())
      // Also while it is waiting to be started again, when no end will be heard of.
      const timer = setTimeout(() => end(), STOP_TIMEOUT_MS)
      worker.postMessage('stop')
      await isOver
      clearTimeout(timer)
      await worker.terminate()
    },
  }
}
