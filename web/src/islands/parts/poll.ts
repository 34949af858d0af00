/** Calls `load` immediately and then at an interval while the page is visible; one call at a time. */
export function poll(everyMs: number, load: () => Promise<void>): void {
  let isLoading = false
  const once = async (): Promise<void> => {
    if (isLoading || document.visibilityState === 'hidden') return
    isLoading = true
    await load().catch(() => undefined)
    isLoading = false
  }
  void once()
  setInterval(() => void once(), everyMs)
  document.addEventListener('visibilitychange', () => void once())
}
