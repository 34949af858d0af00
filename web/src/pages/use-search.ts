import { useLocation } from '../router.ts'
import { useIsStarted } from '../ui/hooks/use-is-started.ts'

/** The query string of the URL; empty during prerendering, which is shared by all URLs of a page. */
export function useSearch(): string {
  const { search } = useLocation()
  return useIsStarted() ? search : ''
}
