import { useSyncExternalStore } from 'react'

const never = (): (() => void) => () => undefined

/** False during prerendering, and in the browser until hydration. */
export function useIsStarted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
