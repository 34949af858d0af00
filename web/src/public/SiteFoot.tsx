import { type Language, LANGUAGE_PARAMETER, LANGUAGES } from '@tapeline/contracts/language'
import { paths } from '../paths.ts'
import { Logo } from '../ui/Logo.tsx'

type SiteFootProps = { language: Language; known: ReadonlySet<string> }

const COLUMNS = [
  {
    head: 'Product',
    links: [
      { path: paths.apiDocs, label: 'API Docs' },
      { path: paths.pricing, label: 'Pricing' },
      { path: paths.sdk, label: 'SDKs' },
      { path: paths.status, label: 'Status' },
      { path: paths.api, label: 'API' },
    ],
  },
  {
    head: 'Learn',
    links: [
      { path: paths.docs, label: 'Docs' },
      { path: paths.blog, label: 'Blog' },
      { path: paths.community, label: 'Community' },
      { path: paths.help, label: 'Help' },
      { path: paths.support, label: 'Support' },
    ],
  },
  {
    head: 'Company',
    links: [
      { path: paths.about, label: 'About Us' },
      { path: paths.careers, label: 'Careers' },
      { path: paths.contact, label: 'Contact' },
    ],
  },
  {
    head: 'Legal',
    links: [
      { path: paths.privacy, label: 'Privacy' },
      { path: paths.terms, label: 'Terms' },
      { path: paths.cookies, label: 'Cookies' },
      { path: paths.gdpr, label: 'GDPR' },
    ],
  },
]

const NAMES: Record<Language, string> = { en: 'English', es: 'Español', fr: 'Français' }

export function SiteFoot({ language, known }: SiteFootProps) {
  return (
    <footer className="site-foot">
      <div className="site cols">
        <div>
          <a className="logo" href={paths.home}>
            <Logo>Tapeline</Logo>
          </a>
          <p className="t13 foot-lead">
            Trades and level-2 order-book events over REST. Runs on one machine or on a cluster.
          </p>
          <Languages language={language} />
        </div>
        {COLUMNS.map(({ head, links }) => (
          <div key={head}>
            <h2>{head}</h2>
            <ul>
              {links
                .filter(({ path }) => known.has(path))
                .map(({ path, label }) => (
                  <li key={path}>
                    <a href={path}>{label}</a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </footer>
  )
}

/** Plain links: whoever serves the page keeps the choice. */
function Languages({ language }: Pick<SiteFootProps, 'language'>) {
  return (
    <nav className="languages" aria-label="Language">
      {LANGUAGES.map((one) => (
        <a
          key={one}
          href={`?${LANGUAGE_PARAMETER}=${one}`}
          hrefLang={one}
          lang={one}
          aria-current={one === language ? 'true' : undefined}
        >
          {NAMES[one]}
        </a>
      ))}
    </nav>
  )
}
