import type { Logger } from '@tapeline/service/logger'
import { Queue, Worker } from 'bullmq'
import type { Deps } from '../deps.ts'
import { listWaitingMails, markMailFailed } from './mail-queries.ts'
import type { SendLetter } from './mailer.ts'
import { sendMail } from './send-mail.ts'

export type MailQueueOptions = { redisUrl: string; name: string; send: SendLetter; logger: Logger }
export type MailQueue = { stop: () => Promise<void> }

const BATCH = 500
const LOOK_EVERY_MS = 1_000
/** About a day, from seconds to hours: a mail server that is away comes back. */
const ATTEMPTS = 14
const BACKOFF_MS = 5_000
const RECONNECT_DELAY_MAX_MS = 2_000
const STOP_TIMEOUT_MS = 2_000
/** Braces: all keys of a queue lie in one slot, so a Redis Cluster works unchanged. */
const KEY_PREFIX = '{jobs}'

/** The table says what is to be sent, the queue when: a job's id is its mail's, so that none is queued twice. */
export function startMailQueue(deps: Deps, { redisUrl, name, send, logger }: MailQueueOptions): MailQueue {
  const connection = {
    url: redisUrl,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, RECONNECT_DELAY_MAX_MS),
  }
  const queue = new Queue(name, { prefix: KEY_PREFIX, connection })
  const worker = new Worker(name, (job) => sendMail(deps, send, job.name), { prefix: KEY_PREFIX, connection })
  let isAway = false
  const onError = (err: Error): void => {
    if (!isAway) logger.warn({ err }, 'the mail queue is away')
    isAway = true
  }
  queue.on('error', onError)
  worker.on('error', onError)
  worker.on('ready', () => {
    isAway = false
  })
  worker.on('failed', (job, err) => {
    if (job === undefined) return
    logger.warn({ err, mail: job.name, attempt: job.attemptsMade }, 'a mail could not be sent')
    if (job.attemptsMade < ATTEMPTS) return
    markMailFailed(deps.db, job.name, { at: deps.now(), failure: err.message.slice(0, 500) }).catch(onError)
  })
  // A mail that is in the queue already stays there once.
  const fill = async (): Promise<void> => {
    const ids = await listWaitingMails(deps.db, BATCH)
    if (ids.length > 0) await queue.addBulk(ids.map((id) => ({ name: id, data: {}, opts: jobOptions(id) })))
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

function jobOptions(id: string) {
  return {
    jobId: id,
    attempts: ATTEMPTS,
    backoff: { type: 'exponential', delay: BACKOFF_MS },
    removeOnComplete: true,
    removeOnFail: true,
  }
}
