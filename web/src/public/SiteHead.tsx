import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ArrowUpRight, Menu, Monitor, Moon, Sun } from 'lucide-react'
import { paths } from '../paths.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Logo } from '../ui/Logo.tsx'

type SiteHeadProps = { path: string; known: ReadonlySet<string> }

/** Login and Signup are for visitors; whoever is signed in has a way back (visitor.js says who it is). */
export function SiteHead({ path, known }: SiteHeadProps) {
  return (
    <header className="site-head">
      <div className="site">
        <a className="logo" href={paths.home}>
          <Logo>Tapeline</Logo>
        </a>
        <nav aria-label={t`Main`}>
          <Pages path={path} known={known} />
        </nav>
        <div className="end">
          <ThemeButton />
          <a className={buttonClass({ variant: 'quiet' }, 'for-visitors')} href={paths.login}>
            <Trans>Login</Trans>
          </a>
          <a className={buttonClass({}, 'for-visitors only-wide')} href={paths.signup}>
            <Trans>Signup</Trans>
          </a>
          <a className={buttonClass({}, 'for-signed-in')} href={paths.profile}>
            <Trans>Dashboard</Trans>
          </a>
          <details className="site-menu only-narrow">
            <summary className={buttonClass({ variant: 'quiet', isIconOnly: true })} aria-label={t`Menu`}>
              <Menu className="i" aria-hidden="true" />
            </summary>
            <nav className="menu" aria-label={t`Menu`}>
              <Pages path={path} known={known} />
              <a className="for-visitors" href={paths.login}>
                <Trans>Login</Trans>
              </a>
              <a className="for-visitors" href={paths.signup}>
                <Trans>Signup</Trans>
              </a>
            </nav>
          </details>
        </div>
      </div>
    </header>
  )
}

function Pages({ path, known }: SiteHeadProps) {
  const current = (to: string) => (to === path ? 'page' : undefined)
  return (
    <>
      <a href={paths.home} aria-current={current(paths.home)}>
        <Trans>Home</Trans>
      </a>
      {known.has(paths.apiDocs) && (
        <a href={paths.apiDocs} target="_blank" rel="noopener" aria-current={current(paths.apiDocs)}>
          <Trans>API Docs</Trans>
          <ArrowUpRight className="i" role="img" aria-label={t`opens in a new tab`} />
        </a>
      )}
      <a href={paths.about} aria-current={current(paths.about)}>
        <Trans>About Us</Trans>
      </a>
      <a href={paths.pricing} aria-current={current(paths.pricing)}>
        <Trans>Pricing</Trans>
      </a>
    </>
  )
}

/** Cycles light, dark, system; the style sheet shows the icon of the theme that is on. */
function ThemeButton() {
  return (
    <button
      type="button"
      className={buttonClass({ variant: 'quiet', isIconOnly: true }, 'theme-button needs-script')}
      data-words={JSON.stringify({ light: t`Theme: light`, dark: t`Theme: dark`, system: t`Theme: system` })}
      aria-label={t`Theme: dark`}
    >
      <Sun className="i of-light" aria-hidden="true" />
      <Moon className="i of-dark" aria-hidden="true" />
      <Monitor className="i of-system" aria-hidden="true" />
    </button>
  )
}
