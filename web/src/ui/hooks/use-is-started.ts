import { useSyncExternalStore } from 'react'

const never = (): (() => void) => () => undefined

/** False where a page is drawn ahead, and in the browser until the script has taken it over. */
export function useIsStarted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
