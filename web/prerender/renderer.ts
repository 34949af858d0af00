import type { Language } from '@tapeline/contracts/language'
import type { AppPage } from './app-pages.ts'
import type { PageAssets } from '../src/public/page-assets.ts'

export type Rendering = { path: string; language: Language; assets: PageAssets }

/** Exports of src/public/render-page.tsx, which is built, or loaded by the dev server, before it can be called. */
export type Renderer = {
  pagePaths: readonly string[]
  renderPage: (rendering: Rendering) => string
  renderSitemap: () => string
  /** Files that are not pages, by their URL. */
  renderFiles: () => ReadonlyMap<string, string>
}

/** Exports of src/public/prerender-app-page.tsx. */
export type AppPageRenderer = {
  prerenderAppPage: (page: AppPage, language: Language) => Promise<{ title: string; markup: string }>
}
