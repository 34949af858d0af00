import { useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation } from '../router.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { documentTitleOf, usePageTitle } from './use-page-title.ts'

export function RootLayout() {
  return (
    <>
      <RouteAnnouncer />
      <Outlet />
      <Toasts />
      <ScrollRestoration />
    </>
  )
}

/** After a change of page, not of its search or on the first load: says the title and puts the focus on the h1. */
function RouteAnnouncer() {
  const { pathname } = useLocation()
  const page = usePageTitle()
  const documentTitle = documentTitleOf(page)
  const lastPath = useRef(pathname)
  const [announced, setAnnounced] = useState('')

  useEffect(() => {
    document.title = documentTitle
    if (lastPath.current === pathname) return
    lastPath.current = pathname
    setAnnounced(page.title)
    const heading = document.querySelector('h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }, [pathname, documentTitle, page.title])

  return (
    <p className="sr" aria-live="polite">
      {announced}
    </p>
  )
}
