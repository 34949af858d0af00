import './auth.css'
import { LanguageSwitch } from '../language/LanguageSwitch.tsx'
import { useLanguage } from '../language/use-language.ts'
import { isFromMail, paths, returnPath } from '../paths.ts'
import { Link, Navigate, Outlet, useLocation } from '../router.ts'
import { useSession } from '../session/use-session.ts'
import { landingOf } from '../settings/landing.ts'
import { useSettings } from '../settings/use-settings.ts'
import { Logo } from '../ui/Logo.tsx'
import { SkipLink } from './SkipLink.tsx'
import { TradeWall } from './TradeWall.tsx'

/** The form is the page; beside it runs the tape. Whoever is signed in goes on to where they wanted. */
export function AuthLayout() {
  const session = useSession()
  useLanguage()
  const { search, pathname } = useLocation()
  const { dashboardDefaultView } = useSettings()
  if (session.status === 'signed-in' && !isFromMail(pathname)) {
    return <Navigate to={returnPath(search, landingOf(session.user, dashboardDefaultView))} replace />
  }
  return (
    <div className="auth">
      <SkipLink />
      <div className="auth-form">
        <header>
          <Link className="logo" to={paths.home}>
            <Logo>Tapeline</Logo>
          </Link>
        </header>
        <main id="main">
          <Outlet />
        </main>
        <footer>
          <LanguageSwitch />
        </footer>
      </div>
      <TradeWall />
    </div>
  )
}
