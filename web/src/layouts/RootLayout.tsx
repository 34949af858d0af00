import { useEffect, useRef, useState } from 'react'
import { useLanguage } from '../language/use-language.ts'
import { Outlet, ScrollRestoration, useLocation } from '../router.ts'
import { Toasts } from '../ui/toasts/Toasts.tsx'
import { usePageTitle } from './use-page-title.ts'

export function RootLayout() {
  useLanguage()
  return (
    <>
      <RouteAnnouncer />
      <Outlet />
      <Toasts />
      <ScrollRestoration />
    </>
  )
}

/**
 * Announces the title and focuses the h1 after a change of page, but not after a change of the query or on the first
 * load.
 */
function RouteAnnouncer() {
  const { pathname } = useLocation()
  const { title, documentTitle } = usePageTitle()
  const lastPath = useRef(pathname)
  const [announced, setAnnounced] = useState('')

  useEffect(() => {
    document.title = documentTitle
    if (lastPath.current === pathname) return
    lastPath.current = pathname
    setAnnounced(title)
    const heading = document.querySelector('h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }, [pathname, documentTitle, title])

  return (
    <p className="sr-only" aria-live="polite">
      {announced}
    </p>
  )
}
