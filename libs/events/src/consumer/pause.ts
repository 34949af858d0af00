/** Waits, but not longer than until the signal. */
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

/** The promise, or undefined as soon as the signal comes: kafkajs cannot be told to stop connecting. */
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
