import type { IncomingMessage, ServerResponse } from 'node:http'
import { chooseLanguage, LANGUAGE_COOKIE, languageInAddress } from '@tapeline/contracts/language'
import { API_ORIGIN, isOfDashboard, SITE_ORIGIN } from '@tapeline/contracts/site'
import type { ViteDevServer } from 'vite'
import { sourceAssets } from './page-assets.ts'
import type { Renderer } from './renderer.ts'

/** The default in index.html, if the server has no other. */
const DEFAULT_API = 'http://localhost:3001'
const RENDERER = '/src/public/render-page.tsx'
/** Sources, files of Vite, and paths of probes. Error codes contain a dot. */
const NO_PAGE = /^(?!\/docs\/errors\/).*[.@]|^\/(readyz|src|node_modules)\b/

/** Runs before Vite's own handler, which answers every URL with the dashboard. */
export function servePages(server: ViteDevServer): void {
  server.middlewares.use((request, response, next) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    if (request.method !== 'GET' || NO_PAGE.test(pathname) || isOfDashboard(pathname)) return next()
    pageAt(server, request, { pathname, search }).then(
      (html) => answer(response, html, search),
      (error: unknown) => next(error),
    )
  })
}

type Address = { pathname: string; search: string }

async function pageAt(server: ViteDevServer, request: IncomingMessage, { pathname, search }: Address) {
  const { pagePaths, renderPage } = (await server.ssrLoadModule(RENDERER)) as Renderer
  if (!pagePaths.includes(pathname)) return undefined
  const { cookie, host = 'localhost', 'accept-language': acceptLanguage } = request.headers
  const language = chooseLanguage({ search, cookie, acceptLanguage })
  const html = await server.transformIndexHtml(pathname, renderPage({ path: pathname, language, assets: sourceAssets }))
  const api = /name="tapeline-api" content="(http:[^"]*)"/.exec(html)?.[1] ?? DEFAULT_API
  return html.replaceAll(SITE_ORIGIN, `http://${host}`).replaceAll(API_ORIGIN, api)
}

/** An unknown URL leads to the front page. */
function answer(response: ServerResponse, html: string | undefined, search: string): void {
  const chosen = languageInAddress(search)
  if (chosen !== undefined) response.setHeader('set-cookie', `${LANGUAGE_COOKIE}=${chosen}; Path=/; SameSite=Lax`)
  response.setHeader('cache-control', 'no-store')
  if (html === undefined) response.writeHead(302, { location: '/' })
  else response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(html)
}
