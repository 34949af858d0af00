import { Trans } from '@lingui/react/macro'
import { API_ORIGIN, SITE_ORIGIN } from '@tapeline/contracts/site'
import { type Language, LANGUAGE_PARAMETER, LANGUAGES } from '@tapeline/contracts/language'
import { i18n } from '../language/i18n.ts'
import { SiteFooter } from '../layouts/SiteFooter.tsx'
import { SiteHead } from '../layouts/SiteHead.tsx'
import { paths } from '../paths.ts'
import { Languages } from './Languages.tsx'
import type { PageAssets } from './page-assets.ts'
import type { PublicPage, Words } from './public-page.ts'
import { ThemeButton } from './ThemeButton.tsx'

type PageDocumentProps = {
  page: PublicPage
  language: Language
  assets: PageAssets
  /** Resources that the page's interactive parts need. */
  islands: readonly string[]
}

const SITE_STYLE = 'src/public/site.css'

export function PageDocument({ page, language, assets, islands }: PageDocumentProps) {
  return (
    <html lang={language} data-theme="dark" data-signed-in-to={page.isForVisitors === true ? paths.profile : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <DescribedBy page={page} language={language} />
        <meta name="tapeline-api" content={API_ORIGIN} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {assets.font !== undefined && (
          <link rel="preload" as="font" type="font/woff2" crossOrigin="" href={assets.font} />
        )}
        <script src="/theme.js" />
        <script src="/visitor.js" />
        {[SITE_STYLE, ...(page.styles ?? [])].map((style) => (
          <link key={style} rel="stylesheet" href={assets.style(style)} />
        ))}
        <script type="module" src={assets.script} />
        {islands.map((name) => (
          <link key={name} rel="modulepreload" href={assets.island(name)} />
        ))}
      </head>
      <body>
        <a className="skip" href="#main">
          <Trans>Skip to content</Trans>
        </a>
        <SiteHead path={page.path} theme={<ThemeButton />} />
        <main id="main" tabIndex={-1}>
          <page.Page />
        </main>
        <SiteFooter>
          <Languages language={language} />
        </SiteFooter>
      </body>
    </html>
  )
}

/** For the tab, search engines and previews. A URL without a language is answered in the reader's own. */
function DescribedBy({ page, language }: Pick<PageDocumentProps, 'page' | 'language'>) {
  const title = page.documentTitle === undefined ? `${translate(page.title)} · Tapeline` : i18n._(page.documentTitle)
  const description = translate(page.description)
  const address = SITE_ORIGIN + page.path
  const inLanguage = (one: Language): string => `${address}?${LANGUAGE_PARAMETER}=${one}`
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={inLanguage(language)} />
      <link rel="alternate" hrefLang="x-default" href={address} />
      {LANGUAGES.map((one) => (
        <link key={one} rel="alternate" hrefLang={one} href={inLanguage(one)} />
      ))}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Tapeline" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={inLanguage(language)} />
      <meta property="og:locale" content={language} />
      <meta name="twitter:card" content="summary" />
    </>
  )
}

function translate(words: Words): string {
  return typeof words === 'function' ? words() : i18n._(words)
}
