const POLL_MS = 20
/** Nearly always less than a second; allows for a busy machine. */
const WITHIN_MS = 60_000

/**
 * Polls until the result is truthy; once more after the time limit, because this process may have been the one that
 * stood still.
 * @throws Error with `what` after `timeoutMs`
 */
export async function waitUntil<T>(
  what: string,
  read: () => Promise<T> | T,
  timeoutMs = WITHIN_MS,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const isLast = Date.now() >= deadline
    let last: unknown
    try {
      const answer = await read()
      if (answer !== undefined && answer !== null && answer !== false) return answer
      last = answer
    } catch (error) {
      last = error
    }
    if (isLast) throw new Error(`timed out after ${timeoutMs} ms waiting until ${what}; last: ${String(last)}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
