/** Calls `ask` immediately and then at an interval while the page is visible; one call at a time. */
export function poll(everyMs: number, load: () => Promise<void>): void {
  let isAsking = false
  const once = async (): Promise<void> => {
    if (isAsking || document.visibilityState === 'hidden') return
    isAsking = true
    await load().catch(() => undefined)
    isAsking = false
  }
  void once()
  setInterval(() => void once(), everyMs)
  document.addEventListener('visibilitychange', () => void once())
}
