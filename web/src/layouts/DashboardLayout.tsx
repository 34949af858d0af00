import { t } from '@lingui/core/macro'
import { QueryClientProvider } from '@tanstack/react-query'
import { PanelLeft, Menu as MenuIcon } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLanguage } from '../language/use-language.ts'
import { CommandCenter } from '../commands/CommandCenter.tsx'
import { loginWithReturn, paths } from '../paths.ts'
import { queryClient } from '../queries.ts'
import { Link, Navigate, Outlet, useLocation } from '../router.ts'
import { useProviderSignIn } from '../session/use-provider-sign-in.ts'
import { local } from '../platform.ts'
import { useSession, useUser } from '../session/use-session.ts'
import { renewPush } from '../settings/renew-push.ts'
import { ThemeSwitch } from '../theme/ThemeSwitch.tsx'
import { Button } from '../ui/Button.tsx'
import { Layer } from '../ui/Dialog.tsx'
import { Logo } from '../ui/Logo.tsx'
import { Waiting } from '../ui/Skeleton.tsx'
import { Bell } from './Bell.tsx'
import { DashboardNav } from './DashboardNav.tsx'
import { VerifyEmailHint } from './lazy-verify-email-hint.ts'
import { PlanSummary } from './PlanSummary.tsx'
import { UnreachableBanner } from './UnreachableBanner.tsx'
import { SkipLink } from './SkipLink.tsx'
import { useCollapsed } from './use-collapsed.ts'
import { usePageTitle } from './use-page-title.ts'
import { UserMenu } from './UserMenu.tsx'

const SPINNER_DELAY_MS = 100
/** For browsers without idle callbacks. */
const STARTED_AFTER_MS = 2_000
const ConfirmPassword = lazy(async () => ({
  default: (await import('../pages/provider/ConfirmPassword.tsx')).ConfirmPassword,
}))

/** Requires a session: visitors sign in first and then return to this page. */
export function DashboardLayout() {
  const session = useSession()
  useLanguage()
  const provider = useProviderSignIn()
  const { pathname, search } = useLocation()
  if (provider.step === 'password')
    return (
      <Suspense fallback={null}>
        <ConfirmPassword />
      </Suspense>
    )
  // A user returning from the provider has no session yet and must not be redirected.
  if (provider.step === 'finishing') return <Waiting label={t`Finishing your sign-in`} showAfterMs={SPINNER_DELAY_MS} />
  switch (session.status) {
    case 'pending':
      return <Waiting label={t`Loading your session`} showAfterMs={SPINNER_DELAY_MS} />
    case 'signed-out':
      return <Navigate to={loginWithReturn(pathname + search)} replace />
    case 'signed-in':
      // Another tab may sign in a different user: discard everything shown for the previous one.
      return (
        <QueryClientProvider key={session.user.id} client={queryClient}>
          <Shell />
        </QueryClientProvider>
      )
  }
}

function Shell() {
  const user = useUser()
  const [isCollapsed, setCollapsed] = useCollapsed()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  useEffect(listenLater, [])
  useEffect(() => renewPush({ local, userId: user.id, whenIdle, open: openPush }), [user.id])
  return (
    <div className={isCollapsed ? 'app is-collapsed' : 'app'}>
      <SkipLink />
      <nav className="sidebar" aria-label={t`Dashboard`}>
        <Link className="logo" to={paths.profile}>
          <Logo>Tapeline</Logo>
        </Link>
        <DashboardNav user={user} />
        <PlanSummary user={user} />
      </nav>
      {isDrawerOpen && (
        <Layer className="drawer" label={t`Navigation`} onClose={() => setDrawerOpen(false)}>
          <Link className="logo drawer-logo" to={paths.profile} onClick={() => setDrawerOpen(false)}>
            <Logo>Tapeline</Logo>
          </Link>
          <nav aria-label={t`Dashboard`}>
            <DashboardNav user={user} onNavigate={() => setDrawerOpen(false)} />
          </nav>
          <PlanSummary user={user} />
        </Layer>
      )}
      <div className="grow">
        <Topbar
          isCollapsed={isCollapsed}
          onCollapse={() => setCollapsed(!isCollapsed)}
          onOpenDrawer={() => setDrawerOpen(true)}
        />
        <UnreachableBanner />
        {/* The content waits for the hint above it, which would move it. */}
        <Suspense>
          {!user.emailVerified && <VerifyEmailHint />}
          <main className="content" id="main">
            <Outlet />
          </main>
        </Suspense>
      </div>
    </div>
  )
}

function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run)
  else setTimeout(run, STARTED_AFTER_MS)
}

/** Loaded only for users who turned pushes on. */
async function openPush() {
  return (await import('../settings/open-browser-push.ts')).openBrowserPush()
}

type TopbarProps = { isCollapsed: boolean; onCollapse: () => void; onOpenDrawer: () => void }

function Topbar({ isCollapsed, onCollapse, onOpenDrawer }: TopbarProps) {
  const { title } = usePageTitle()
  return (
    <header className="topbar">
      <Button
        variant="quiet"
        isIconOnly
        className="only-narrow"
        aria-label={t`Open navigation`}
        aria-haspopup="dialog"
        onClick={onOpenDrawer}
        icon={<MenuIcon className="icon" aria-hidden="true" />}
      />
      <Button
        variant="quiet"
        isIconOnly
        className="only-wide collapse"
        aria-label={isCollapsed ? t`Expand sidebar` : t`Collapse sidebar`}
        aria-expanded={!isCollapsed}
        onClick={onCollapse}
        icon={<PanelLeft className="icon" aria-hidden="true" />}
      />
      <h1>{title}</h1>
      <CommandCenter onSidebar={onCollapse} />
      <Bell />
      <ThemeSwitch />
      <UserMenu />
    </header>
  )
}

/** The account's event stream is opened after the first view, which does not need it. */
function listenLater(): () => void {
  const left = new AbortController()
  void import('../live/live.ts').then(({ listen }) => {
    if (!left.signal.aborted) left.signal.addEventListener('abort', listen())
  })
  return () => left.abort()
}
