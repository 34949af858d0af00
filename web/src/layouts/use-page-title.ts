import { useMatches } from '../router.ts'

/** Each route says its title in `handle`: it names the browser's tab, the dashboard's header and the announcement. */
export type PageHandle = { title: string; documentTitle?: string }

export function usePageTitle(): PageHandle {
  const handle = useMatches()
    .map((match) => match.handle)
    .findLast(isPageHandle)
  return handle ?? { title: 'Tapeline' }
}

export function documentTitleOf({ title, documentTitle }: PageHandle): string {
  return documentTitle ?? `${title} · Tapeline`
}

function isPageHandle(handle: unknown): handle is PageHandle {
  return typeof handle === 'object' && handle !== null && 'title' in handle
}
