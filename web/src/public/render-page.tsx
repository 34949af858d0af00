import { SITE_ORIGIN } from '@tapeline/contracts/site'
import { I18nProvider } from '@lingui/react'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { docsFiles } from './docs/docs-files.ts'
import type { Rendering } from '../../prerender/renderer.ts'
import { PageDocument } from './PageDocument.tsx'
import { i18n } from '../language/i18n.ts'
import { publicPages } from './public-pages.tsx'
import { activateLanguage } from './activate-language.ts'

export const pagePaths = publicPages.map(({ path }) => path)

/** The whole document of a page in one language. */
export function renderPage({ path, language, assets }: Rendering): string {
  const page = publicPages.find((one) => one.path === path)
  if (page === undefined) throw new Error(`There is no page ${path}.`)
  activateLanguage(language)
  const main = markupOf(<page.Page />)
  const islands = [...new Set([...main.matchAll(/ data-island="([\w-]+)"/g)].map(([, name = '']) => name))]
  const document = <PageDocument page={page} language={language} assets={assets} islands={islands} />
  return `<!doctype html>\n${markupOf(document)}\n`
}

function markupOf(node: ReactNode): string {
  return renderToStaticMarkup(<I18nProvider i18n={i18n}>{node}</I18nProvider>)
}

export function renderSitemap(): string {
  const urls = pagePaths.map((path) => `  <url><loc>${SITE_ORIGIN}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}

/** Files that are not pages, by their URL. */
export function renderFiles(): ReadonlyMap<string, string> {
  return docsFiles()
}
