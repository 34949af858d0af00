import { Worker } from 'node:worker_threads'
import type { Logger } from '@tapeline/service/logger'

export type ShipperData = {
  dir: string
  adopted: string[]
  brokers: string
  topicPrefix: string
  clientId: string
  logLevel: string
  /** Bytes acknowledged, shared with the journal. */
  freed: Float64Array
}
export type Shipper = { stop: () => Promise<void> }

const STOP_TIMEOUT_MS = 3_000
const RESTART_MS = 1_000
/** Bytes are copied, not made into objects: the thread needs no room for young ones. */
const HEAP = { maxYoungGenerationSizeMb: 6 }

/** Starts the shipper's thread, again whenever it dies: what it had not acknowledged is still in the journal. */
export function startShipper(data: ShipperData, logger: Logger): Shipper {
  let isStopping = false
  let worker = start()

  function start(): Worker {
    const thread = new Worker(new URL('ship-usage.ts', import.meta.url), { workerData: data, resourceLimits: HEAP })
    thread.on('error', (err) => logger.error({ err }, 'the shipper failed and is started again'))
    thread.once('exit', () => {
      if (isStopping) return
      setTimeout(() => {
        if (!isStopping) worker = start()
      }, RESTART_MS)
    })
    return thread
  }

  return {
    async stop() {
      isStopping = true
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
