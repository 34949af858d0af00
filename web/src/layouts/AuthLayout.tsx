import './auth.css'
import { t } from '@lingui/core/macro'
import { lazy, Suspense, useEffect } from 'react'
import { LanguageSwitch } from '../language/LanguageSwitch.tsx'
import { useLanguage } from '../language/use-language.ts'
import { isFromMail, returnPath } from '../paths.ts'
import { Navigate, Outlet, useLocation } from '../router.ts'
import { useSession } from '../session/use-session.ts'
import { firstPage, landingOf } from '../settings/landing.ts'
import { useSettings } from '../settings/use-settings.ts'
import { ThemeSwitch } from '../theme/ThemeSwitch.tsx'
import { FieldError } from '../ui/Field.tsx'
import { useIsStarted } from '../ui/hooks/use-is-started.ts'
import { SiteFooter } from './SiteFooter.tsx'
import { SiteHead } from './SiteHead.tsx'
import { SkipLink } from './SkipLink.tsx'
import { startMenu } from './start-menu.ts'
import { EmptyTradeLanes } from './TradeLanes.tsx'

/** Shown next to the form, and not needed for it. */
const PublicTrades = lazy(async () => ({ default: (await import('./PublicTrades.tsx')).PublicTrades }))

/** The public layout around a form, with the live tape. Signed-in users are redirected to the page they requested. */
export function AuthLayout() {
  const session = useSession()
  useLanguage()
  const { search, pathname } = useLocation()
  const { dashboardDefaultView } = useSettings()
  const isStarted = useIsStarted()
  const isSignedIn = session.status === 'signed-in'
  useEffect(startMenu, [])
  if (isSignedIn && !isFromMail(pathname)) {
    const landing = session.isNew === true ? firstPage(session.user) : landingOf(session.user, dashboardDefaultView)
    return <Navigate to={returnPath(search, landing)} replace />
  }
  return (
    <>
      <SkipLink />
      <SiteHead path={pathname} theme={<ThemeSwitch />} isSignedIn={isSignedIn} />
      <div className="auth">
        <div className="auth-form">
          <main id="main">
            <noscript>
              <FieldError>{t`This page needs JavaScript. The API works without it.`}</FieldError>
            </noscript>
            <Outlet />
          </main>
        </div>
        {isStarted ? (
          <Suspense fallback={<EmptyTradeLanes />}>
            <PublicTrades />
          </Suspense>
        ) : (
          <EmptyTradeLanes />
        )}
      </div>
      <SiteFooter>
        <LanguageSwitch />
      </SiteFooter>
    </>
  )
}
