import { useEffect, useState } from 'react'

const TICK_MS = 1_000

/** The current time in milliseconds, updated every second, for relative times such as "4 s ago". */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}
