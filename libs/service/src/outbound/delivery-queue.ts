import type { Logger } from '../logger.ts'
import { Queue, Worker } from 'bullmq'
import { queueConnection } from '../redis.ts'

/** A table whose waiting rows are each delivered once; `deliver` is retried if it throws. */
export type Delivery = {
  /** Name of the delivered rows, for the log. */
  what: string
  /** In a fixed order, starting after the last row of the previous page. */
  listWaiting: (limit: number, after: string | undefined) => Promise<string[]>
  /** Must be idempotent. */
  deliver: (id: string) => Promise<unknown>
  /** Called after the last attempt. A row that still waits afterwards is queued again. */
  abandon?: (id: string, failure: string) => Promise<void>
  retry: { attempts: number; backoff: { type: 'exponential' | 'fixed'; delay: number } }
  /** Number of concurrent deliveries. */
  atOnce: number
  /** Interval at which waiting rows are queued, in ms. */
  pollIntervalMs?: number
  /**
   * Names under which rows are announced, and when the next row is due that does not wait yet. Without it the table is
   * polled.
   */
  announced?: { as: readonly string[]; nextDue?: () => Promise<Date | undefined> }
  /** Time after which a job of a process that died is run by another, in ms. */
  lockMs?: number
}
/** Announcements of rows by PostgreSQL; while `isListening` is false, they can be lost. */
export type Announcements = { on: (name: string, onWork: () => void) => () => void; isListening: () => boolean }
export type DeliveryQueueOptions = { redisUrl: string; name: string; logger: Logger; signals?: Announcements }
export type DeliveryQueue = { stop: () => Promise<void> }

const BATCH = 500
const POLL_INTERVAL_MS = 1_000
/** While inserts are announced and nothing was waiting for a while. */
const POLL_MAX_MS = 5_000
const POLL_FAST_FOR_MS = 10_000
const LOCK_MS = 30_000
const STOP_TIMEOUT_MS = 2_000
const FAILURE_MAX = 500
/** The braces put all keys of a queue into one slot of a Redis Cluster. */
const KEY_PREFIX = '{jobs}'

/**
 * Delivers the waiting rows of a table: the table stores which rows are waiting, the queue when to try. The id of a job
 * is that of its row, so no row is queued twice. Does not wait for Redis, so a service starts without it.
 */
export function startDeliveryQueue(
  delivery: Delivery,
  { redisUrl, name, logger, signals }: DeliveryQueueOptions,
): DeliveryQueue {
  const shared = { prefix: KEY_PREFIX, connection: queueConnection(redisUrl) }
  const queue = new Queue(name, shared)
  const worker = new Worker(name, (job) => delivery.deliver(job.name), {
    ...shared,
    concurrency: delivery.atOnce,
    lockDuration: delivery.lockMs ?? LOCK_MS,
    stalledInterval: delivery.lockMs ?? LOCK_MS,
  })
  const onError = logQueueErrors({ queue, worker, logger, delivery })
  // Pages through all waiting rows repeatedly, so that rows with long retries do not delay others.
  let after: string | undefined
  let foundMs = performance.now()
  // A row that is already queued is not added again.
  const fill = async (): Promise<void> => {
    const ids = await delivery.listWaiting(BATCH, after)
    after = ids.length === BATCH ? ids.at(-1) : undefined
    if (ids.length > 0) foundMs = performance.now()
    if (ids.length > 0) await queue.addBulk(ids.map((id) => ({ name: id, data: {}, opts: jobOptions(delivery, id) })))
  }
  const polling = pollRepeatedly(fill, { signals, delivery, onError, since: () => performance.now() - foundMs })
  return {
    async stop() {
      polling.stop()
      const closed = Promise.all([worker.close(), queue.close()])
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref())])
    },
  }
}

type Polling = {
  signals: Announcements | undefined
  delivery: Delivery
  onError: (err: Error) => void
  /** Time since rows were found, ms. */
  since: () => number
}

/**
 * Polls at every interval; rarely while inserts are announced and nothing is waiting, and then at once after an insert.
 * Many announcements do not shorten the interval.
 */
function pollRepeatedly(poll: () => Promise<void>, { signals, delivery, onError, since }: Polling) {
  const { announced, pollIntervalMs = POLL_INTERVAL_MS } = delivery
  let timer: NodeJS.Timeout | undefined
  let isPolling = false
  let isAnnounced = false
  let isStopped = false
  let polledMs = performance.now()
  const untilNextMs = async (): Promise<number> => {
    if (announced === undefined || signals?.isListening() !== true || since() < POLL_FAST_FOR_MS) return pollIntervalMs
    const due = await announced.nextDue?.()
    const dueMs = due === undefined ? POLL_MAX_MS : due.getTime() - Date.now()
    return Math.min(POLL_MAX_MS, Math.max(pollIntervalMs, dueMs))
  }
  const run = async (): Promise<void> => {
    isPolling = true
    isAnnounced = false
    polledMs = performance.now()
    const waitMs = await poll()
      .then(untilNextMs)
      .catch((err: Error) => (onError(err), pollIntervalMs))
    isPolling = false
    if (!isStopped) timer = setTimeout(() => void run(), isAnnounced ? pollIntervalMs : waitMs)
  }
  const onAnnounced = (): void => {
    isAnnounced = true
    if (isPolling || isStopped) return
    clearTimeout(timer)
    timer = setTimeout(() => void run(), Math.max(0, polledMs + pollIntervalMs - performance.now()))
  }
  const ends = (announced?.as ?? []).map((name) => signals?.on(name, onAnnounced))
  timer = setTimeout(() => void run(), pollIntervalMs)
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      for (const end of ends) end?.()
    },
  }
}

type Watched = { queue: Queue; worker: Worker; logger: Logger; delivery: Delivery }

/** Each reconnection attempt emits an error; only the first is logged until the connection is restored. */
function logQueueErrors({ queue, worker, logger, delivery }: Watched): (err: Error) => void {
  const { what, retry, abandon } = delivery
  let isUnavailable = false
  const onError = (err: Error): void => {
    if (!isUnavailable) logger.warn({ err, what }, 'delivery queue: Redis is unavailable; reconnecting')
    isUnavailable = true
  }
  queue.on('error', onError)
  worker.on('error', onError)
  worker.on('ready', () => {
    isUnavailable = false
  })
  worker.on('failed', (job, err) => {
    if (job === undefined) return
    logger.warn(
      { err, what, id: job.name, attempt: job.attemptsMade },
      'delivery queue: an attempt failed; retried unless it was the last one',
    )
    if (job.attemptsMade < retry.attempts || abandon === undefined) return
    abandon(job.name, err.message.slice(0, FAILURE_MAX)).catch(onError)
  })
  return onError
}

function jobOptions({ retry }: Delivery, id: string) {
  return { jobId: id, ...retry, removeOnComplete: true, removeOnFail: true }
}
