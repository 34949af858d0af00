import { Worker } from 'node:worker_threads'
import type { Log } from '@tapeline/events/log'
import type { Logger } from '@tapeline/service/logger'
import type { JournalToShip } from './ship-usage.ts'

export type KafkaWorkerData = JournalToShip & {
  brokers: string
  clientId: string
  /** Topics whose messages the worker passes to the main thread, and the prefix of their consumer group. */
  subscription: { topics: string[]; group: string }
}
/** A message from the worker: a change that it received, that it receives changes from here on, or a log line. */
export type WorkerMessage =
  | { change: string }
  | { isReceiving: true }
  | { level: keyof Log; fields: object; message: string }
export type ChangeListener = {
  onMessage: (value: string) => void
  /** Changes before this call may have been missed. */
  onReceiving: () => void
}
export type KafkaWorker = { start: () => void; stop: () => Promise<void> }

const STOP_TIMEOUT_MS = 3_000
const RESTART_MS = 1_000
/** The worker copies bytes and allocates few objects: a small young generation is enough. */
const HEAP = { maxYoungGenerationSizeMb: 6 }

/** The worker thread for Kafka, restarted whenever it ends: what it had not acknowledged is still in the journal. */
export function createKafkaWorker(data: KafkaWorkerData, logger: Logger, changes: ChangeListener): KafkaWorker {
  const log = logger.child({ part: 'kafka' })
  let isStopping = false
  let worker: Worker | undefined

  function start(): void {
    if (isStopping) return
    worker = new Worker(new URL('kafka-worker.ts', import.meta.url), { workerData: data, resourceLimits: HEAP })
    worker.on('message', (message: WorkerMessage) => {
      if ('change' in message) changes.onMessage(message.change)
      else if ('isReceiving' in message) changes.onReceiving()
      else log[message.level](message.fields, message.message)
    })
    worker.on('error', (err) =>
      log.error({ err }, 'kafka worker: failed; restarting in 1 s, usage events stay in the journal'),
    )
    worker.once('exit', () => {
      if (!isStopping) setTimeout(start, RESTART_MS)
    })
  }

  return {
    start,
    async stop() {
      isStopping = true
      if (worker === undefined) return
      const { promise: exited, resolve: end } = Promise.withResolvers<void>()
      worker.once('exit', () => end())
      // A worker that waits for its restart emits no exit: the timer ends the wait.
      const timer = setTimeout(() => end(), STOP_TIMEOUT_MS)
      worker.postMessage('stop')
      await exited
      clearTimeout(timer)
      await worker.terminate()
    },
  }
}
