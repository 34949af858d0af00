import type { Logger } from '@tapeline/service/logger'
import { Queue, Worker } from 'bullmq'

/** Rows of a table that wait to be dealt with, each once; `deliver` is tried again when it throws. */
export type Delivery = {
  /** What is delivered, for the log. */
  what: string
  /** In one order, behind the one that the last look ended with. */
  listWaiting: (limit: number, after: string | undefined) => Promise<string[]>
  /** Must find out itself whether it was done before. */
  deliver: (id: string) => Promise<unknown>
  /** After the last try; what still waits then is queued again. */
  giveUp?: (id: string, failure: string) => Promise<void>
  retry: { attempts: number; backoff: { type: 'exponential' | 'fixed'; delay: number } }
  /** Of how many at a time the answer is waited for. */
  atOnce: number
}
export type DeliveryQueueOptions = { redisUrl: string; name: string; logger: Logger }
export type DeliveryQueue = { stop: () => Promise<void> }

const BATCH = 500
const LOOK_EVERY_MS = 1_000
const RECONNECT_DELAY_MAX_MS = 2_000
const STOP_TIMEOUT_MS = 2_000
const FAILURE_MAX = 500
/** Braces: all keys of a queue lie in one slot, so a Redis Cluster works unchanged. */
const KEY_PREFIX = '{jobs}'

/** The table says what waits, the queue when: a job's id is its row's, so that none is queued twice. */
export function startDeliveryQueue(
  delivery: Delivery,
  { redisUrl, name, logger }: DeliveryQueueOptions,
): DeliveryQueue {
  const connection = {
    url: redisUrl,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, RECONNECT_DELAY_MAX_MS),
  }
  const shared = { prefix: KEY_PREFIX, connection }
  const queue = new Queue(name, shared)
  const worker = new Worker(name, (job) => delivery.deliver(job.name), { ...shared, concurrency: delivery.atOnce })
  const onError = logTroubles({ queue, worker, logger, delivery })
  // Look by look through all that waits, and again: what is tried later and later holds up nothing behind it.
  let after: string | undefined
  // What is in the queue already stays there once.
  const fill = async (): Promise<void> => {
    const ids = await delivery.listWaiting(BATCH, after)
    after = ids.length === BATCH ? ids.at(-1) : undefined
    if (ids.length > 0) await queue.addBulk(ids.map((id) => ({ name: id, data: {}, opts: jobOptions(delivery, id) })))
  }
  let isFilling = false
  const timer = setInterval(() => {
    if (isFilling) return
    isFilling = true
    fill()
      .catch(onError)
      .finally(() => {
        isFilling = false
      })
  }, LOOK_EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      const closed = Promise.all([worker.close(), queue.close()])
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref())])
    },
  }
}

type Watched = { queue: Queue; worker: Worker; logger: Logger; delivery: Delivery }

/** Reconnecting reports each attempt; one line is enough until it works again. */
function logTroubles({ queue, worker, logger, delivery }: Watched): (err: Error) => void {
  const { what, retry, giveUp } = delivery
  let isAway = false
  const onError = (err: Error): void => {
    if (!isAway) logger.warn({ err, what }, 'the delivery queue is away')
    isAway = true
  }
  queue.on('error', onError)
  worker.on('error', onError)
  worker.on('ready', () => {
    isAway = false
  })
  worker.on('failed', (job, err) => {
    if (job === undefined) return
    logger.warn({ err, what, id: job.name, attempt: job.attemptsMade }, 'it could not be delivered')
    if (job.attemptsMade < retry.attempts || giveUp === undefined) return
    giveUp(job.name, err.message.slice(0, FAILURE_MAX)).catch(onError)
  })
  return onError
}

function jobOptions({ retry }: Delivery, id: string) {
  return { jobId: id, ...retry, removeOnComplete: true, removeOnFail: true }
}
