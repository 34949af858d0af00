import type { Location } from '../../router.ts'

/** What is typed is kept as long as its tab is open, whatever else the address says. */
export function isOtherTab(from: Location, to: Location): boolean {
  return from.pathname !== to.pathname || tabOf(from) !== tabOf(to)
}

function tabOf({ search }: Location): string | null {
  return new URLSearchParams(search).get('tab')
}
