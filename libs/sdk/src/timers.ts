/** `setTimeout` fires at once after a longer time: 2^31 - 1 ms, 24.8 days. */
const TIMER_MAX_MS = 2_147_483_647

/** `setTimeout` for any time, also `Infinity`; it fires after {@link TIMER_MAX_MS} at the latest. */
export function startTimer(run: () => void, ms: number): ReturnType<typeof setTimeout> {
  return setTimeout(run, Math.min(ms, TIMER_MAX_MS))
}

/** Resolves after `ms` milliseconds. @throws the reason of the signal, as soon as it is aborted */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = startTimer(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
  signal?.throwIfAborted()
}
