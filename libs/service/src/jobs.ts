import { Queue, Worker } from 'bullmq'
import type { ServiceName } from '@tapeline/contracts/actor'
import type { Static, TObject } from 'typebox'
import type { Logger } from './logger.ts'
import type { serviceFields } from './read-config.ts'
import { queueConnection } from './redis.ts'
import { clusterNodesOf } from './redis-nodes.ts'

/** A scheduled task: `cron` has five fields, or six with seconds first, in UTC; `run` must be idempotent. */
export type Job = { name: string; cron: string; run: () => Promise<unknown> }
export type JobsOptions = {
  redisUrl: string
  /** The service: its processes share one queue, so that each job runs once. */
  queue: string
  jobs: readonly Job[]
  logger: Logger
  /** Runs a job so that its statements are cancelled when `signal` aborts: the process stops, and the job has not ended in time. */
  cancelWith?: <T>(signal: AbortSignal, run: () => T) => T
  /** Interval for re-creating schedules that Redis has lost, in ms. */
  pollIntervalMs?: number
}
export type RunningJobs = {
  /** Enqueues a job immediately, in addition to its schedule. */
  runNow: (name: string) => Promise<void>
  /** Waits 2 s for a running job, then cancels its statements; it is retried by another process, or at its next time. */
  stop: () => Promise<void>
}

const ATTEMPTS = 3
const BACKOFF_MS = 5_000
const LOCK_MS = 60_000
const STOP_TIMEOUT_MS = 2_000
/** For the failure of a cancelled job to be recorded in Redis. */
const CANCEL_TIMEOUT_MS = 1_000
const POLL_INTERVAL_MS = 30_000
/** Completed runs kept in Redis for inspection. */
const KEPT_RUNS = 20
/** The braces put all keys of a queue into one cluster slot. */
const KEY_PREFIX = '{jobs}'
const RUN_OPTIONS = {
  attempts: ATTEMPTS,
  backoff: { type: 'exponential', delay: BACKOFF_MS },
  removeOnComplete: KEPT_RUNS,
  removeOnFail: KEPT_RUNS,
}

type QueueConfig = Pick<Static<TObject<typeof serviceFields>>, 'REDIS_URL' | 'REDIS_JOBS_URL' | 'KAFKA_TOPIC_PREFIX'>

/** Connection of a service's job queue, from its configuration. */
export function queueOf(service: ServiceName, config: QueueConfig): Pick<JobsOptions, 'redisUrl' | 'queue'> {
  return {
    redisUrl: config.REDIS_JOBS_URL || config.REDIS_URL,
    queue: `${config.KAFKA_TOPIC_PREFIX}${service}`,
  }
}

/**
 * Schedules the jobs and runs them one at a time. Does not wait for Redis, so a service starts without it.
 * @throws Error when REDIS_JOBS_URL names a cluster
 */
export function startJobs(options: JobsOptions): RunningJobs {
  const { redisUrl, queue: name, jobs, logger, pollIntervalMs = POLL_INTERVAL_MS } = options
  if (clusterNodesOf(redisUrl) !== undefined) {
    throw new Error('REDIS_JOBS_URL must name one Redis server: job queues do not support a cluster')
  }
  const shared = {
    prefix: KEY_PREFIX,
    connection: queueConnection(redisUrl),
  }
  const queue = new Queue(name, shared)
  const runner = createRunner(options)
  const worker = new Worker(name, ({ name: jobName }) => runner.run(jobName), { ...shared, lockDuration: LOCK_MS })
  logQueueErrors({ queue, worker, logger })
  let scheduling: Promise<void> | undefined
  const scheduleWith = (work: (queue: Queue, jobs: readonly Job[]) => Promise<void>) => {
    scheduling ??= work(queue, jobs)
      .catch((err: unknown) => logger.error({ err }, 'jobs: scheduling failed; retrying at the next check'))
      .finally(() => (scheduling = undefined))
  }
  scheduleWith(schedule)
  const pollTimer = setInterval(() => scheduleWith(scheduleMissing), pollIntervalMs)
  pollTimer.unref()
  return {
    async runNow(jobName) {
      await queue.add(jobName, {}, RUN_OPTIONS)
    },
    async stop() {
      clearInterval(pollTimer)
      const closed = Promise.all([worker.close(), queue.close()])
      await Promise.race([closed, wait(STOP_TIMEOUT_MS)])
      if (runner.cancel()) await Promise.race([closed, wait(CANCEL_TIMEOUT_MS)])
    },
  }
}

function createRunner({ jobs, cancelWith = (_signal, run) => run() }: Pick<JobsOptions, 'jobs' | 'cancelWith'>) {
  const stopping = new AbortController()
  let isRunning = false
  return {
    async run(name: string): Promise<unknown> {
      isRunning = true
      try {
        return await cancelWith(stopping.signal, () => jobNamed(jobs, name)?.run())
      } finally {
        isRunning = false
      }
    },
    /** False when no job runs. */
    cancel(): boolean {
      stopping.abort()
      return isRunning
    },
  }
}

function wait(timeoutMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())
}

/** Removes schedules that are no longer in the code, including those of older versions. */
async function schedule(queue: Queue, jobs: readonly Job[]): Promise<void> {
  for (const { name, cron } of jobs) {
    await queue.upsertJobScheduler(name, { pattern: cron, tz: 'UTC' }, { name, data: {}, opts: RUN_OPTIONS })
  }
  for (const { key } of await queue.getJobSchedulers()) {
    if (jobNamed(jobs, key) === undefined) await queue.removeJobScheduler(key)
  }
}

/** Re-creates schedules after Redis was flushed or restarted without its data. */
async function scheduleMissing(queue: Queue, jobs: readonly Job[]): Promise<void> {
  const scheduled = new Set((await queue.getJobSchedulers()).map(({ key }) => key))
  if (jobs.some(({ name }) => !scheduled.has(name))) await schedule(queue, jobs)
}

function jobNamed(jobs: readonly Job[], name: string): Job | undefined {
  return jobs.find((job) => job.name === name)
}

type Watched = { queue: Queue; worker: Worker; logger: Logger }

/** Each reconnection attempt emits an error; only the first is logged until the connection is restored. */
function logQueueErrors({ queue, worker, logger }: Watched): void {
  let isUnavailable = false
  const onError = (err: Error) => {
    if (!isUnavailable) logger.warn({ err }, 'jobs: Redis is unavailable; reconnecting')
    isUnavailable = true
  }
  queue.on('error', onError)
  worker.on('error', onError)
  worker.on('ready', () => {
    isUnavailable = false
  })
  worker.on('completed', (run) => logger.info({ job: run.name, result: run.returnvalue }, 'jobs: a job completed'))
  worker.on('failed', (run, err) => {
    if (run === undefined || run.attemptsMade >= ATTEMPTS)
      logger.error({ err, job: run?.name }, 'jobs: a job failed; it runs again at its next scheduled time')
  })
}
