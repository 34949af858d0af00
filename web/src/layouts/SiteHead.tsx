import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ArrowUpRight, Menu } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Logo } from '../ui/Logo.tsx'

type SiteHeadProps = {
  path: string
  theme: ReactNode
  /** Undefined during prerendering; visitor.js then sets the state. */
  isSignedIn?: boolean
}

/** The top bar of the public layout. Visitors see Login and Signup, signed-in users a link to the dashboard. */
export function SiteHead({ path, theme, isSignedIn }: SiteHeadProps) {
  return (
    <header className="site-head">
      <div className="site">
        <a className="logo" href={paths.home}>
          <Logo>Tapeline</Logo>
        </a>
        <nav aria-label={t`Main`}>
          <Pages path={path} />
        </nav>
        <div className="end">
          {theme}
          {isSignedIn !== true && <ForVisitors path={path} />}
          {isSignedIn !== false && (
            <a className={buttonClass({}, isSignedIn === undefined ? 'for-signed-in' : undefined)} href={paths.profile}>
              <Trans>Dashboard</Trans>
            </a>
          )}
          <details className="site-menu only-narrow">
            <summary className={buttonClass({ variant: 'quiet', isIconOnly: true })} aria-label={t`Menu`}>
              <Menu className="icon" aria-hidden="true" />
            </summary>
            <nav className="menu" aria-label={t`Menu`}>
              <Pages path={path} />
              {isSignedIn !== true && (
                <>
                  <a className="for-visitors" href={paths.login}>
                    <Trans>Login</Trans>
                  </a>
                  <a className="for-visitors" href={paths.signup}>
                    <Trans>Signup</Trans>
                  </a>
                </>
              )}
            </nav>
          </details>
        </div>
      </div>
    </header>
  )
}

function ForVisitors({ path }: Pick<SiteHeadProps, 'path'>) {
  return (
    <>
      <a
        className={buttonClass({ variant: 'quiet' }, 'for-visitors')}
        href={paths.login}
        aria-current={currentOf(path, paths.login)}
      >
        <Trans>Login</Trans>
      </a>
      <a
        className={buttonClass({}, 'for-visitors only-wide')}
        href={paths.signup}
        aria-current={currentOf(path, paths.signup)}
      >
        <Trans>Signup</Trans>
      </a>
    </>
  )
}

function Pages({ path }: Pick<SiteHeadProps, 'path'>) {
  return (
    <>
      <a href={paths.home} aria-current={currentOf(path, paths.home)}>
        <Trans>Home</Trans>
      </a>
      <a href={paths.apiDocs} target="_blank" rel="noopener" aria-current={currentOf(path, paths.apiDocs)}>
        <Trans>API Docs</Trans>
        <ArrowUpRight className="icon" role="img" aria-label={t`opens in a new tab`} />
      </a>
      <a href={paths.about} aria-current={currentOf(path, paths.about)}>
        <Trans>About Us</Trans>
      </a>
      <a href={paths.pricing} aria-current={currentOf(path, paths.pricing)}>
        <Trans>Pricing</Trans>
      </a>
    </>
  )
}

function currentOf(path: string, to: string): 'page' | undefined {
  return to === path ? 'page' : undefined
}
