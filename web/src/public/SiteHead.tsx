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
        <nav aria-label="Main">
          <Pages path={path} known={known} />
        </nav>
        <div className="end">
          <ThemeButton />
          <a className={buttonClass({ variant: 'quiet' }, 'for-visitors')} href={paths.login}>
            Login
          </a>
          <a className={buttonClass({}, 'for-visitors only-wide')} href={paths.signup}>
            Signup
          </a>
          <a className={buttonClass({}, 'for-signed-in')} href={paths.profile}>
            Dashboard
          </a>
          <details className="site-menu only-narrow">
            <summary className={buttonClass({ variant: 'quiet', isIconOnly: true })} aria-label="Menu">
              <Menu className="i" aria-hidden="true" />
            </summary>
            <nav className="menu" aria-label="Menu">
              <Pages path={path} known={known} />
              <a className="for-visitors" href={paths.login}>
                Login
              </a>
              <a className="for-visitors" href={paths.signup}>
                Signup
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
        Home
      </a>
      {known.has(paths.apiDocs) && (
        <a href={paths.apiDocs} target="_blank" rel="noopener" aria-current={current(paths.apiDocs)}>
          API Docs
          <ArrowUpRight className="i" role="img" aria-label="opens in a new tab" />
        </a>
      )}
      <a href={paths.about} aria-current={current(paths.about)}>
        About Us
      </a>
      <a href={paths.pricing} aria-current={current(paths.pricing)}>
        Pricing
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
      data-words={JSON.stringify({ light: 'Theme: light', dark: 'Theme: dark', system: 'Theme: system' })}
      aria-label="Theme: dark"
    >
      <Sun className="i of-light" aria-hidden="true" />
      <Moon className="i of-dark" aria-hidden="true" />
      <Monitor className="i of-system" aria-hidden="true" />
    </button>
  )
}
