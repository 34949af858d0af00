import { useEffect, useState } from 'react'

const SHOW_AFTER_MS = 200
const SHOW_AT_LEAST_MS = 400

/** True after a delay, then for a minimum time, so that nothing flickers when a response is fast. */
export function useDelayed(isWaiting: boolean, showAfterMs = SHOW_AFTER_MS): boolean {
  const [shownAtMs, setShownAtMs] = useState<number | undefined>(undefined)

  useEffect(() => {
    if (isWaiting) {
      if (shownAtMs !== undefined) return
      const timer = setTimeout(() => setShownAtMs(performance.now()), showAfterMs)
      return () => clearTimeout(timer)
    }
    if (shownAtMs === undefined) return
    const restMs = Math.max(0, SHOW_AT_LEAST_MS - (performance.now() - shownAtMs))
    const timer = setTimeout(() => setShownAtMs(undefined), restMs)
    return () => clearTimeout(timer)
  }, [isWaiting, shownAtMs, showAfterMs])

  return shownAtMs !== undefined
}
