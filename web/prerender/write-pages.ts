import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LANGUAGES } from '@tapeline/contracts/language'
import { appDocuments } from './app-document.ts'
import { appPages } from './app-pages.ts'
import { builtAssets } from './page-assets.ts'
import { stubBrowserGlobals } from './stub-browser-globals.ts'
import type { AppPageRenderer, Renderer } from './renderer.ts'

type Folders = { outDir: string; renderer: string }

/** Below `pages/<language>/`; the server chooses the language. */
export async function writePages({ outDir, renderer }: Folders): Promise<void> {
  const loaded: Renderer = await import(pathToFileURL(join(renderer, 'render-page.js')).href)
  const { pagePaths, renderPage, renderSitemap, renderFiles } = loaded
  const assets = builtAssets(outDir)
  for (const language of LANGUAGES) {
    for (const path of pagePaths) {
      write(join(outDir, 'pages', language, fileOf(path)), renderPage({ path, language, assets }))
    }
  }
  write(join(outDir, 'sitemap.xml'), renderSitemap())
  await writeAppPages({ outDir, renderer })
  for (const [path, content] of renderFiles()) write(join(outDir, path.slice(1)), content)
}

/** Documents of the dashboard and of sign-in. */
async function writeAppPages({ outDir, renderer }: Folders): Promise<void> {
  stubBrowserGlobals()
  const { prerenderAppPage }: AppPageRenderer = await import(
    pathToFileURL(join(renderer, 'prerender-app-page.js')).href
  )
  const documentOf = appDocuments(outDir)
  for (const language of LANGUAGES) {
    for (const page of appPages) {
      const rendered = await prerenderAppPage(page, language)
      write(join(outDir, 'pages', language, fileOf(page.path)), documentOf({ ...rendered, page, language }))
    }
  }
}

/** /pricing → pricing.html, / → index.html */
function fileOf(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}.html`
}

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
