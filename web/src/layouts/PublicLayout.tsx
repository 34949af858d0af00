import { t } from '@lingui/core/macro'
import { Menu as MenuIcon } from 'lucide-react'
import { LanguageSwitch } from '../language/LanguageSwitch.tsx'
import { useLanguage } from '../language/use-language.ts'
import { paths } from '../paths.ts'
import { Link, Navigate, NavLink, Outlet, useNavigate } from '../router.ts'
import { useSession } from '../session/use-session.ts'
import { ThemeSwitch } from '../theme/ThemeSwitch.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { Logo } from '../ui/Logo.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { SkipLink } from './SkipLink.tsx'

/** Marketing pages. Signed-in visitors belong to the dashboard. */
export function PublicLayout() {
  const session = useSession()
  useLanguage()
  if (session.status === 'signed-in') return <Navigate to={paths.profile} replace />
  return (
    <>
      <SkipLink />
      <SiteHead />
      <main id="main">
        <Outlet />
      </main>
      <SiteFoot />
    </>
  )
}

function SiteHead() {
  return (
    <header className="site-head">
      <div className="site">
        <Link className="logo" to={paths.home}>
          <Logo>Tapeline</Logo>
        </Link>
        <nav aria-label={t`Main`}>
          <NavLink to={paths.home} end>
            {t`Home`}
          </NavLink>
          <NavLink to={paths.pricing}>{t`Pricing`}</NavLink>
        </nav>
        <div className="end">
          <ThemeSwitch />
          <Link className={buttonClass({ variant: 'quiet' })} to={paths.login}>
            {t`Login`}
          </Link>
          <Link className={buttonClass({}, 'only-wide')} to={paths.signup}>
            {t`Signup`}
          </Link>
          <div className="only-narrow">
            <NarrowMenu />
          </div>
        </div>
      </div>
    </header>
  )
}

function NarrowMenu() {
  const navigate = useNavigate()
  const to = (label: string, path: string): MenuItem => ({
    label,
    href: path,
    onSelect: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      void navigate(path)
    },
  })
  return (
    <Menu
      label={t`Open menu`}
      variant="quiet"
      isIconOnly
      trigger={<MenuIcon className="i" aria-hidden="true" />}
      items={[
        to(t`Home`, paths.home),
        to(t`Pricing`, paths.pricing),
        to(t`Login`, paths.login),
        to(t`Signup`, paths.signup),
      ]}
    />
  )
}

function SiteFoot() {
  return (
    <footer className="site-foot">
      <div className="site cols">
        <div>
          <Link className="logo" to={paths.home}>
            <Logo>Tapeline</Logo>
          </Link>
          <p className="t13 foot-lead">
            {t`Trades and level-2 order-book events over REST. Runs on one machine or on a cluster.`}
          </p>
          <LanguageSwitch />
        </div>
        <div>
          <h2>{t`Product`}</h2>
          <ul>
            <li>
              <Link to={paths.home}>{t`Home`}</Link>
            </li>
            <li>
              <Link to={paths.pricing}>{t`Pricing`}</Link>
            </li>
          </ul>
        </div>
        <div>
          <h2>{t`Account`}</h2>
          <ul>
            <li>
              <Link to={paths.login}>{t`Login`}</Link>
            </li>
            <li>
              <Link to={paths.signup}>{t`Signup`}</Link>
            </li>
          </ul>
        </div>
      </div>
    </footer>
  )
}
