/** Asks at once and again while the page is seen; never twice at the same time. */
export function askAgain(everyMs: number, ask: () => Promise<void>): void {
  let isAsking = false
  const once = async (): Promise<void> => {
    if (isAsking || document.visibilityState === 'hidden') return
    isAsking = true
    await ask().catch(() => undefined)
    isAsking = false
  }
  void once()
  setInterval(() => void once(), everyMs)
  document.addEventListener('visibilitychange', () => void once())
}
