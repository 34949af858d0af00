import type { Location } from '../../router.ts'

/** Unsaved text is kept while its tab stays open, regardless of other changes of the URL. */
export function isOtherTab(from: Location, to: Location): boolean {
  return from.pathname !== to.pathname || tabOf(from) !== tabOf(to)
}

function tabOf({ search }: Location): string | null {
  return new URLSearchParams(search).get('tab')
}
