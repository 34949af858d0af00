import type { MessageDescriptor } from '@lingui/core'
import { i18n } from '../language/i18n.ts'
import { useLanguage } from '../language/use-language.ts'
import { useMatches } from '../router.ts'

/** Each route has its title in `handle`: for the browser tab, the dashboard's header and the announcement. */
export type PageHandle = { title: MessageDescriptor; documentTitle?: MessageDescriptor }

export function usePageTitle(): { title: string; documentTitle: string } {
  useLanguage()
  const handle = useMatches()
    .map((match) => match.handle)
    .findLast(isPageHandle)
  if (handle === undefined) return { title: 'Tapeline', documentTitle: 'Tapeline' }
  const title = i18n._(handle.title)
  return {
    title,
    documentTitle: handle.documentTitle === undefined ? `${title} · Tapeline` : i18n._(handle.documentTitle),
  }
}

export function isPageHandle(handle: unknown): handle is PageHandle {
  return typeof handle === 'object' && handle !== null && 'title' in handle
}
