import type { Language } from '@tapeline/contracts/language'
import type { AppPage } from './app-pages.ts'
import type { PageAssets } from '../src/public/page-assets.ts'

export type Rendering = { path: string; language: Language; assets: PageAssets }

/** What src/public/render-page.tsx offers: it is built, or loaded by the dev server, before it can be called. */
export type Renderer = {
  pagePaths: readonly string[]
  renderPage: (rendering: Rendering) => string
  renderSitemap: () => string
  /** Files that are no pages, by their address. */
  renderFiles: () => ReadonlyMap<string, string>
}

/** What src/public/render-ahead.tsx offers. */
export type AheadRenderer = {
  renderAhead: (page: AppPage, language: Language) => Promise<{ title: string; markup: string }>
}
