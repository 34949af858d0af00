import type { Language } from '@tapeline/contracts/language'
import type { AppPage } from '../../prerender/app-pages.ts'
import { renderToString } from 'react-dom/server'
import { App } from '../App.tsx'
import { i18n } from '../language/i18n.ts'
import { isPageHandle } from '../layouts/use-page-title.ts'
import { language as ofVisitor } from '../platform.ts'
import { createMemoryRouter, matchRoutes, whenReady } from '../router.ts'
import { routes } from '../routes.tsx'
import { activateLanguage } from './activate-language.ts'

type Page = Pick<AppPage, 'path' | 'isPrerendered'>
type RenderedPage = { title: string; markup: string }

/** Renders a page of the dashboard app as a visitor first sees it. Loaded only on the server, with a browser substitute. */
export async function prerenderAppPage({ path, isPrerendered }: Page, language: Language): Promise<RenderedPage> {
  await ofVisitor.choose(language)
  activateLanguage(language)
  const handle = matchRoutes(routes, path)
    ?.map(({ route }) => route.handle)
    .findLast(isPageHandle)
  if (handle === undefined) throw new Error(`There is no page ${path}.`)
  return { title: `${i18n._(handle.title)} · Tapeline`, markup: isPrerendered ? await markupOf(path) : '' }
}

async function markupOf(path: string): Promise<string> {
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  await whenReady(router)
  return renderToString(<App router={router} />)
}
