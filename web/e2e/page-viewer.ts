import type { TestAccount } from '@tapeline/testing/api-client'
import type { Browser, Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { paths } from '../src/paths.ts'
import type { ShownPage } from './all-pages.ts'

export const THEMES = ['dark', 'light', 'forced colours'] as const
export const LANGUAGES = ['en', 'es', 'fr'] as const
/** Theme, language and width of a check. */
export type PageVariant = { theme: (typeof THEMES)[number]; language: (typeof LANGUAGES)[number]; width: number }
export type Viewer = { open: (page: ShownPage, variant: PageVariant) => Promise<Page>; close: () => Promise<void> }
/** The default theme, language and width, and the variants that differ from it. */
export const USUAL: PageVariant = { theme: 'dark', language: 'en', width: 1280 }

const HEIGHT = 800
const LOADED_WITHIN_MS = 60_000
const QUIET_MS = 200

/** One tab for visitors and one for a signed-in user; every page is opened in one of them. */
export async function createPageViewer(browser: Browser, webUrl: string, person: TestAccount): Promise<Viewer> {
  const newTab = async () => (await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB' })).newPage()
  const tabs = { visitor: await newTab(), account: await newTab() }
  await signIn(tabs.account, webUrl, person)
  const isQuiet = { visitor: watchRequests(tabs.visitor), account: watchRequests(tabs.account) }
  return {
    async open({ path, viewer }, variant) {
      const page = tabs[viewer]
      if (!page.url().startsWith(webUrl)) await page.goto(webUrl + paths.status)
      await page.context().addCookies([{ name: 'tapeline-language', value: variant.language, url: webUrl }])
      await turn(page, variant)
      await page.goto(webUrl + path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await waitUntil('its script runs', () =>
        page.evaluate<boolean>(`!document.querySelector('#root[data-prerendered]')`),
      )
      await waitUntil('the requests of the page are answered', isQuiet[viewer], LOADED_WITHIN_MS)
      await waitUntil('nothing is loading', () =>
        page.evaluate<boolean>(`!document.querySelector('.bone, .busy, .trade-lanes [aria-hidden]')`),
      )
      return page
    },
    close: async () => void (await Promise.all(Object.values(tabs).map((page) => page.context().close()))),
  }
}

async function signIn(page: Page, webUrl: string, { email, password }: TestAccount): Promise<void> {
  await page.goto(webUrl + paths.login)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(webUrl + paths.profile)
}

/**
 * The same page in another theme and at another width. The account has no chosen theme, so the one stored in the
 * browser applies.
 */
export async function turn(page: Page, { theme, width }: Omit<PageVariant, 'language'>): Promise<void> {
  const chosen = JSON.stringify(theme === 'light' ? theme : 'dark')
  await page.setViewportSize({ width, height: HEIGHT })
  await page.emulateMedia({ forcedColors: theme === 'forced colours' ? 'active' : 'none' })
  await page.evaluate(
    `localStorage.setItem('tapeline-theme', ${chosen}); document.documentElement.dataset.theme = ${chosen}`,
  )
  // Scripts that follow the width draw in the frame after it has changed.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

/** Requests that stay open permanently. */
const STREAMS = /\/internal\/events|\/sample\/stream\//

/** Whether no request was in progress for a moment. */
function watchRequests(page: Page): () => boolean {
  const open = new Set<object>()
  let quietSinceMs = Date.now()
  const onFinished = (request: object): void => {
    open.delete(request)
    quietSinceMs = Date.now()
  }
  page.on('request', (request) => {
    if (!STREAMS.test(request.url())) open.add(request)
  })
  page.on('requestfinished', onFinished)
  page.on('requestfailed', onFinished)
  return () => open.size === 0 && Date.now() - quietSinceMs > QUIET_MS
}
