import { useLocation } from '../router.ts'
import { useIsStarted } from '../ui/hooks/use-is-started.ts'

/** What the address says behind `?`; nothing where a page is drawn ahead, once for every address of it. */
export function useSearch(): string {
  const { search } = useLocation()
  return useIsStarted() ? search : ''
}
