import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { afterAll, beforeAll } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { expectVisible } from './page-of-file.ts'

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
      await page.goto(runningPlatform().webUrl + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      // Until its script runs, a prerendered page ignores clicks.
      await page.locator('#root[data-prerendered]').waitFor({ state: 'detached' })
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
