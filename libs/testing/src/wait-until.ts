const POLL_MS = 20

/**
 * Polls until the result is truthy.
 * @throws Error with `what` after `timeoutMs`
 */
export async function waitUntil<T>(
  what: string,
  read: () => Promise<T> | T,
  timeoutMs = 30_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs
  let last: unknown
  do {
    try {
      const answer = await read()
      if (answer !== undefined && answer !== null && answer !== false) return answer
      last = answer
    } catch (error) {
      last = error
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  } while (Date.now() < deadline)
  throw new Error(`timed out after ${timeoutMs} ms waiting until ${what}; last: ${String(last)}`)
}
