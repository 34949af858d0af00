import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '@tapeline/contracts/language'
import type { AppPage } from './app-pages.ts'
import { readManifest, withImports } from './manifest.ts'

type Document = { page: AppPage; language: Language; title: string; markup: string }

const STYLE = /\s*<link rel="stylesheet"[^>]*>/g

/** The built index.html for one page: with what is drawn of it, and all that it needs named, so that no file waits for another. */
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
    // What is painted needs these first: they are asked for before any script.
    const styles = [
      ...entryStyles,
      ...ownStyles.map((file) => line(`<link rel="stylesheet" crossorigin href="/${file}">`)),
    ]
    const scripts = chunks.map(({ file }) => line(`<link rel="modulepreload" crossorigin href="/${file}">`))
    return fill(template.replaceAll(STYLE, ''), [
      [/<html lang="en"/, `<html lang="${language}"`],
      [/<title>[^<]*<\/title>/, `<title>${title}</title>`],
      [/(?=\s*<script src="\/theme\.js">)/, styles.join('')],
      [/(?=\s*<\/head>)/, scripts.join('')],
      ...(page.isDrawn ? drawnParts(markup) : []),
    ])
  }
}

/** Drawn for visitors: of whoever is signed in, visitor.js knows before the first paint. */
function drawnParts(markup: string): [RegExp, string][] {
  return [
    [/(?=\s*<script type="module")/, line('<script src="/visitor.js"></script>')],
    [/<div id="root"><\/div>\s*<noscript>[^<]*<\/noscript>/, `<div id="root" data-ahead>${markup}</div>`],
  ]
}

function line(tag: string): string {
  return `\n    ${tag}`
}

function fill(template: string, parts: readonly [RegExp, string][]): string {
  return parts.reduce((html, [place, content]) => {
    if (!place.test(html)) throw new Error(`index.html has no ${place.source}.`)
    return html.replace(place, () => content)
  }, template)
}
