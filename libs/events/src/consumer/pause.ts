/** Resolves after `waitMs`, or as soon as `signal` aborts. */
export function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(done, waitMs)
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}

/**
 * Resolves like `promise`, or with undefined as soon as `signal` aborts: kafkajs cannot cancel a connection attempt.
 */
export async function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>()
  const onAbort = () => aborted.resolve(undefined)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  promise.catch(() => {})
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
