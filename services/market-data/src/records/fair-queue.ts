import { AppError } from '@tapeline/service/app-error'

/** A queue in which accounts take turns, so that an account with many requests mostly delays itself. */
export type FairQueue = {
  /** @throws `data.unavailable` if too much work of this account or of all accounts is waiting */
  run: <T>(account: string, work: () => Promise<T>) => Promise<T>
}
export type QueueLimits = {
  /** Maximum number of concurrent tasks. */
  runningMax: number
  waitingMax: number
  waitingOfAccountMax: number
}

const RETRY_AFTER_S = 1

type Start = () => void

export function createFairQueue({ runningMax, waitingMax, waitingOfAccountMax }: QueueLimits): FairQueue {
  /** Waiting tasks by account, in the order of their turns. */
  const waiting = new Map<string, Start[]>()
  let running = 0
  let count = 0

  function turn(account: string): Promise<void> | undefined {
    if (running < runningMax) return undefined
    const own = waiting.get(account) ?? []
    if (count >= waitingMax || own.length >= waitingOfAccountMax) throw busy()
    count += 1
    waiting.set(account, own)
    return new Promise((start) => void own.push(start))
  }

  function startNext(): void {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    const [account, own] = next
    const start = own.shift()
    waiting.delete(account)
    if (own.length > 0) waiting.set(account, own)
    count -= 1
    start?.()
  }

  return {
    async run(account, work) {
      const waited = turn(account)
      // The next waiting task takes over the slot of the finished one.
      if (waited === undefined) running += 1
      else await waited
      try {
        return await work()
      } finally {
        startNext()
      }
    },
  }
}

function busy(): AppError {
  const message = `Too many pages are being read at the moment. Retry in ${RETRY_AFTER_S} s.`
  return new AppError('data.unavailable', message, { retryAfterSeconds: RETRY_AFTER_S })
}
