import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { expectVisible } from './page-of-file.ts'

/** Usually under a second; allows for a busy machine. */
const SEEN_WITHIN_MS = 60_000

/** A new visitor: one page shared by the tests of a file, each continuing where the previous one stopped. */
export function visitorOfFile() {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  const main = () => page.getByRole('main')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  return {
    /** A new browser context with separate storage. */
    visit: async (path: string): Promise<Page> => {
      await page?.context().close()
      page = await (await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })).newPage()
      page.setDefaultTimeout(SEEN_WITHIN_MS)
      await page.goto(runningPlatform().webUrl + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const isStarted = () => page.evaluate<boolean>(`!document.querySelector('#root[data-prerendered]')`)
      await waitUntil('its script runs', isStarted, SEEN_WITHIN_MS)
      return page
    },
    main,
    button,
    field,
    isOff: async (name: string) => (await button(name).getAttribute('aria-disabled')) === 'true',
    hrefOf: (name: string) => main().getByRole('link', { name, exact: true }).getAttribute('href'),
    typeOf: (name: string) => field(name).getAttribute('type'),
    expectText: async (text: string | RegExp) => expectVisible(main().getByText(text).first()),
  }
}
