import { api } from '../platform.ts'
import type { ApiCall } from './api-call.ts'
import { ApiError } from './api-error.ts'

/** A limit per second frees capacity soon, so only longer limits are shown. */
const WAIT_MAX_S = 2
const SECOND_MS = 1_000

let last: Promise<unknown> = Promise.resolve()

/**
 * Market-data calls of pages count against the account's limits. They run one at a time, because a plan may allow a
 * single concurrent request. A call rejected by the limit per second is repeated once.
 */
export function callMarketData<T>(call: ApiCall): Promise<T> {
  const result = last.then(() => sendUnlessAborted<T>(call))
  last = result.catch(() => undefined)
  return result
}

async function sendUnlessAborted<T>(call: ApiCall): Promise<T> {
  call.signal?.throwIfAborted()
  try {
    return (await api.send<T>(call)).body
  } catch (error) {
    const waitS = error instanceof ApiError && error.status === 429 ? error.retryAfterS : undefined
    if (waitS === undefined || waitS > WAIT_MAX_S) throw error
    await new Promise((resolve) => setTimeout(resolve, waitS * SECOND_MS))
    return (await api.send<T>(call)).body
  }
}
