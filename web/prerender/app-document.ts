import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '@tapeline/contracts/language'
import type { AppPage } from './app-pages.ts'
import { readManifest, withImports } from './manifest.ts'

type Document = { page: AppPage; language: Language; title: string; markup: string }

const STYLE = /<link rel="stylesheet"[^<>]*>/g
const NEEDS_SCRIPT = '<noscript>Tapeline needs JavaScript for its pages. The API works without it.</noscript>'

/** The built index.html for one page, with its prerendered content and links to all its files, so that no file waits for another. */
export function appDocuments(outDir: string): (document: Document) => string {
  const template = readFileSync(join(outDir, 'index.html'), 'utf8')
  const manifest = readManifest(outDir)
  const entry = withImports(manifest, ['index.html'])
  const entryStyles = template.match(STYLE) ?? []

  return ({ page, language, title, markup }) => {
    const words = language === 'en' ? [] : page.areas.map((area) => `src/locales/${language}/${area}.po`)
    const parts = [...withImports(manifest, [...page.parts, ...words])].filter((part) => !entry.has(part))
    const chunks = parts.flatMap((part) => manifest[part] ?? [])
    const ownStyles = [...new Set(chunks.flatMap(({ css = [] }) => css))]
    // Needed for the first paint, so they are requested before any script.
    const styles = [...entryStyles, ...ownStyles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`)]
    const scripts = chunks.map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`)
    const html = replaced(template.replaceAll(STYLE, ''), [
      ['<html lang="en"', `<html lang="${language}"`],
      ['<title>Tapeline</title>', `<title>${title}</title>`],
      ['<script src="/theme.js">', `${styles.map((tag) => `${tag}\n    `).join('')}<script src="/theme.js">`],
      ['</head>', `${scripts.map((tag) => `  ${tag}\n  `).join('')}</head>`],
    ])
    return page.isPrerendered ? withMarkup(html, markup) : html
  }
}

/** Rendered for visitors: visitor.js detects a signed-in user before the first paint. */
function withMarkup(html: string, markup: string): string {
  return replaced(html, [
    ['<script type="module"', '<script src="/visitor.js"></script>\n    <script type="module"'],
    ['<div id="root"></div>', `<div id="root" data-prerendered>${markup}</div>`],
    // The page itself shows it, in its language.
    [NEEDS_SCRIPT, ''],
  ])
}

function replaced(template: string, parts: readonly [place: string, content: string][]): string {
  return parts.reduce((html, [place, content]) => {
    if (!html.includes(place)) throw new Error(`index.html has no ${place}.`)
    return html.replace(place, () => content)
  }, template)
}
