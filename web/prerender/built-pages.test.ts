import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { LANGUAGES } from '@tapeline/contracts/language'
import { isOfDashboard } from '@tapeline/contracts/site'
import { builtPages } from '@tapeline/testing/pages/built-pages'
import { beforeAll, expect, test } from 'vitest'
import type { RouteObject } from '../src/router.ts'
import { appPages } from './app-pages.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { stubBrowserGlobals } from './stub-browser-globals.ts'

const KB = 1_024
/** The pages may be built first, and another process may be building them. */
const BUILD_TIMEOUT_MS = 400_000
const LANDING_JS_MAX_KB = 15
const PUBLIC_JS_MAX_KB = 40
const CSS_MAX_KB = 12

type Page = { path: string; language: string; html: string }

let dist: string
let manifest: Manifest
let pages: Page[]
let ofDashboard: Page[]

beforeAll(async () => {
  dist = await builtPages()
  manifest = readManifest(dist)
  const all = LANGUAGES.flatMap((language) =>
    globSync('**/*.html', { cwd: join(dist, 'pages', language) }).map((file) => ({
      language,
      path: file === 'index.html' ? '/' : `/${file.slice(0, -'.html'.length)}`,
      html: readFileSync(join(dist, 'pages', language, file), 'utf8'),
    })),
  )
  pages = all.filter(({ path }) => !isOfDashboard(path))
  ofDashboard = all.filter(({ path }) => isOfDashboard(path))
}, BUILD_TIMEOUT_MS)

const all = (html: string, pattern: RegExp): string[] => [...html.matchAll(pattern)].map(([, found = '']) => found)

test('every page exists in every language, with its own head and one h1', () => {
  expect(pages.length).toBeGreaterThan(40)
  for (const { path, language, html } of pages) {
    const where = `${path} in ${language}`
    expect(html, where).toContain(`<html lang="${language}"`)
    expect(all(html, /<title>([^<]+)<\/title>/g), where).toHaveLength(1)
    expect(all(html, /<meta name="description" content="([^"]+)"/g), where).toHaveLength(1)
    expect(all(html, /<meta property="(og:[a-z_]+)"/g).length, where).toBeGreaterThan(4)
    expect(all(html, /rel="canonical" href="([^"]+)"/g), where).toEqual([
      `https://site.tapeline.invalid${path}?lang=${language}`,
    ])
    expect(all(html, /rel="alternate" hreflang="([^"]+)"/gi).toSorted(), where).toEqual(['en', 'es', 'fr', 'x-default'])
    expect(all(html, /<(h1)[ >]/g), where).toHaveLength(1)
  }
})

test('no page contains anything that its content security policy blocks', () => {
  for (const { path, html } of [...pages, ...ofDashboard]) {
    expect(all(html, / (style)="/g), path).toEqual([])
    expect(all(html, / (on[a-z]+)="/g), path).toEqual([])
    expect(all(html, /<script(?![^>]* src=)(?![^>]*type="application\/)([^>]*)>/g), path).toEqual([])
    expect(all(html, /(?:src|href)="(https?:\/\/(?!(?:site|api)\.tapeline\.invalid)[^"]*)"/g), path).toEqual([])
  }
})

test('every link leads to a page, a part of one, the dashboard or a file', () => {
  const ids = new Map(pages.map(({ path, language, html }) => [language + path, new Set(all(html, / id="([^"]+)"/g))]))
  const dead = pages.flatMap(({ path, language, html }) =>
    all(html, /<a [^>]*href="([^"]+)"/g).filter((href) => isDead(href, { path, language, ids })),
  )
  expect([...new Set(dead)]).toEqual([])
})

type Place = { path: string; language: string; ids: Map<string, Set<string>> }

function isDead(href: string, { path, language, ids }: Place): boolean {
  if (/^(https?:|mailto:|\?)/.test(href)) return false
  const { pathname: target, hash } = new URL(href, `http://site.invalid${path}`)
  const anchor = hash.slice(1)
  if (isOfDashboard(target) || (target !== '/' && existsSync(join(dist, target)))) return false
  const targets = ids.get(language + target)
  return targets === undefined || (anchor !== '' && !targets.has(decodeURIComponent(anchor)))
}

test('the sitemap names every page, robots.txt the sitemap', () => {
  const urls = all(
    readFileSync(join(dist, 'sitemap.xml'), 'utf8'),
    /<loc>https:\/\/site\.tapeline\.invalid([^<]+)<\/loc>/g,
  )
  const paths = new Set(pages.map(({ path }) => path))
  expect(urls.filter((url) => !paths.has(url))).toEqual([])
  expect(urls).toEqual(expect.arrayContaining(['/', '/pricing', '/about', '/status', '/docs']))
  expect(readFileSync(join(dist, 'robots.txt'), 'utf8')).toContain('Sitemap: https://site.tapeline.invalid/sitemap.xml')
})

test('no page loads more than its budget before a user interacts with it', () => {
  for (const { path, language, html } of pages.filter((page) => page.language === 'en')) {
    const js = [...scriptsOf(html)].reduce((sum, file) => sum + packed(file), 0) / KB
    const css = all(html, /rel="stylesheet" href="([^"]+)"/g).reduce((sum, file) => sum + packed(file), 0) / KB
    const isReference = path.startsWith('/api-docs/')
    expect(js, `script of ${path} in ${language}, KB`).toBeLessThanOrEqual(
      isReference ? PUBLIC_JS_MAX_KB : LANDING_JS_MAX_KB,
    )
    expect(css, `style of ${path}, KB`).toBeLessThanOrEqual(CSS_MAX_KB)
  }
})

/** Files named by the page, its islands, and everything that they import. */
function scriptsOf(html: string): Set<string> {
  const byFile = new Map(Object.values(manifest).map((chunk) => [`/${chunk.file}`, chunk]))
  const required = [
    ...all(html, /<script[^>]* src="([^"]+)"/g),
    ...all(html, / data-island="([\w-]+)"/g).map((name) => `/${manifest[`src/islands/${name}.ts`]?.file}`),
  ]
  const found = new Set<string>()
  for (const file of required) {
    if (found.has(file)) continue
    found.add(file)
    required.push(...(byFile.get(file)?.imports ?? []).map((key) => `/${manifest[key]?.file}`))
  }
  return found
}

function packed(file: string): number {
  return gzipSync(readFileSync(join(dist, file))).length
}

test('every page of the dashboard and of sign-in has its own document, with its title, in every language', async () => {
  stubBrowserGlobals()
  const { routes } = await import('../src/routes.tsx')
  const expected = LANGUAGES.flatMap((language) => addressesOf(routes).map((path) => `${language} ${path}`))
  expect(ofDashboard.map(({ language, path }) => `${language} ${path}`).toSorted()).toEqual(expected.toSorted())
  for (const { path, language, html } of ofDashboard) {
    expect(html, path).toContain(`<html lang="${language}"`)
    expect(html, path).toMatch(/<title>[^<]+ · Tapeline<\/title>/)
    expect(html.includes('<div id="root" data-prerendered><'), path).toBe(
      appPages.some((page) => page.path === path && page.isPrerendered),
    )
  }
})

test('a prerendered form cannot be submitted by the browser before its script runs, in particular not in the URL', () => {
  const forms = ofDashboard.flatMap(({ html }) => all(html, /(<form.*<\/form>)/gs))
  expect(forms.length).toBeGreaterThan(0)
  for (const form of forms) {
    expect(form).toMatch(/^<form [^>]*method="post"/)
    expect(form).not.toContain(' action=')
    expect(all(form, /(<button(?![^>]* disabled)[^>]*>)/g)).toEqual([])
  }
})

function addressesOf(all: readonly RouteObject[]): string[] {
  return all.flatMap(({ path, children = [] }) =>
    path === undefined || path === '*' ? addressesOf(children) : [path, ...addressesOf(children)],
  )
}
