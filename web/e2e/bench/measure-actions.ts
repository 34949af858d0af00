import type { TestAccount } from '@tapeline/testing/api-client'
import type { Browser, Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { paths } from '../../src/paths.ts'
import { rounded } from './measure-pages.ts'
import { openSlowPage, type SlowPage, type StorageState } from './slow-page.ts'

const WIDTH = 1_280
const SEEN_WITHIN_MS = 60_000
/** Time for painting that continues after the page looks finished. */
const AFTER_MS = 700

/**
 * Links of the sidebar, and the script budget of their pages in KB; weights.test.ts has the budgets of the other pages
 * too.
 */
const ROUTES = [
  { name: 'API Keys', js: 25 },
  { name: 'API Key Audit', js: 45 },
  { name: 'Details', js: 15 },
  { name: 'Settings', js: 15 },
  { name: 'Profile', js: 15 },
] as const

export type RouteFigures = { name: string; js: number; jsMax: number; coldMs: number; warmMs: number }
export type ActionFigures = { name: string; reactionMs: number }

/** Signs in once at full speed, before the measurement. */
export async function signInFor(browser: Browser, webUrl: string, person: TestAccount): Promise<StorageState> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(webUrl + paths.login)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(webUrl + paths.profile, { timeout: SEEN_WITHIN_MS })
  const storage = await context.storageState()
  await context.close()
  return storage
}

/** Size of each dashboard page on first load, and its time when opened again. */
export async function measureRoutes(slow: SlowPage): Promise<RouteFigures[]> {
  const cold = new Map<string, { js: number; ms: number }>()
  slow.takeWeights()
  for (const { name } of ROUTES) {
    const ms = await changeRoute(slow.page, name)
    await settled(slow.page)
    cold.set(name, { js: slow.takeWeights().js, ms })
  }
  const all: RouteFigures[] = []
  for (const { name, js: jsMax } of ROUTES) {
    const warmMs = await changeRoute(slow.page, name)
    await settled(slow.page)
    const { js = 0, ms = 0 } = cold.get(name) ?? {}
    all.push({ name, js: rounded(js, 1), jsMax, coldMs: rounded(ms, 0), warmMs: rounded(warmMs, 0) })
  }
  return all
}

/** Time from the click to the frame with the heading of the page. */
async function changeRoute(page: Page, name: string): Promise<number> {
  await page.evaluate(`
    window.__changed = undefined
    addEventListener('click', ({ timeStamp }) => {
      const before = document.querySelector('h1')?.textContent
      const watch = new MutationObserver(() => {
        const now = document.querySelector('h1')?.textContent
        if (!now || now === before) return
        watch.disconnect()
        requestAnimationFrame(() => setTimeout(() => { window.__changed = performance.now() - timeStamp }))
      })
      watch.observe(document.body, { subtree: true, childList: true, characterData: true })
    }, { capture: true, once: true })
  `)
  await page.locator('.sidebar').getByRole('link', { name, exact: true }).click()
  const isThere = () => page.evaluate<boolean>('window.__changed !== undefined')
  await waitUntil(`${name} is there`, isThere, SEEN_WITHIN_MS)
  return page.evaluate<number>('window.__changed')
}

type Action = { name: string; at: string; act: (page: Page) => Promise<void> }

/** The most frequent actions on these pages. */
const ACTIONS: Action[] = [
  { name: 'open the search box', at: paths.profile, act: async (page) => page.keyboard.press('Control+k') },
  { name: 'type into the search box', at: paths.profile, act: async (page) => page.keyboard.type('limits') },
  { name: 'close the search box', at: paths.profile, act: async (page) => page.keyboard.press('Escape') },
  { name: 'open the bell', at: paths.profile, act: async (page) => press(page, /^Notifications/) },
  { name: 'close the bell', at: paths.profile, act: async (page) => page.keyboard.press('Escape') },
  { name: 'collapse the sidebar', at: paths.profile, act: async (page) => press(page, 'Collapse sidebar') },
  { name: 'edit the profile', at: paths.profile, act: async (page) => press(page, 'Edit Profile') },
  { name: 'open the dialog of a new key', at: paths.apiKeys, act: async (page) => press(page, /Create/) },
  { name: 'close the dialog', at: paths.apiKeys, act: async (page) => page.keyboard.press('Escape') },
  { name: 'read buckets by keyboard', at: paths.metrics, act: readBuckets },
  { name: 'show the chart as a table', at: paths.metrics, act: async (page) => press(page, 'Show as a table') },
  { name: 'explain a request', at: paths.requests, act: explain },
]

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click()
}

async function readBuckets(page: Page): Promise<void> {
  await page.locator('[aria-roledescription="chart"]').first().focus()
  for (let n = 0; n < 10; n += 1) await page.keyboard.press('ArrowLeft')
}

async function explain(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Explain/ })
    .first()
    .click()
}

/** From input to the next frame, as the browser measures it (INP): each action's slowest. */
export async function measureActions({ page, takeReactionMs }: SlowPage, webUrl: string): Promise<ActionFigures[]> {
  const all: ActionFigures[] = []
  for (const { name, at, act } of ACTIONS) {
    if (page.url() !== webUrl + at) await page.goto(webUrl + at)
    await settled(page)
    await takeReactionMs()
    await act(page)
    await page.waitForTimeout(AFTER_MS)
    all.push({ name, reactionMs: rounded(await takeReactionMs(), 0) })
  }
  return all
}

export async function openDashboard(browser: Browser, webUrl: string, storage: StorageState): Promise<SlowPage> {
  const slow = await openSlowPage(browser, { storage, width: WIDTH })
  await slow.page.goto(webUrl + paths.profile, { timeout: SEEN_WITHIN_MS })
  await settled(slow.page)
  return slow
}

async function settled(page: Page): Promise<void> {
  const isThere = `document.querySelector('h1') !== null && document.querySelector('.bone, .busy') === null`
  await waitUntil('the page is there', () => page.evaluate<boolean>(isThere), SEEN_WITHIN_MS)
  await page.waitForTimeout(AFTER_MS)
}
