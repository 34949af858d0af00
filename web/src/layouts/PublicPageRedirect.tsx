import { isOfDashboard } from '@tapeline/contracts/site'
import { useEffect } from 'react'
import { paths } from '../paths.ts'
import { useLocation } from '../router.ts'

/** Public pages are separate documents; unknown URLs lead to the front page. */
export function PublicPageRedirect() {
  const { pathname, search } = useLocation()
  useEffect(() => {
    location.replace(isOfDashboard(pathname) ? paths.home : pathname + search)
  }, [pathname, search])
  return null
}
