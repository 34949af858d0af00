import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium as driver, type Page } from 'playwright-core'

export type { Browser, Locator, Page } from 'playwright-core'

/** Disables the browser's own network traffic. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Nearly always under a second; allows for a busy machine. */
const SEEN_WITHIN_MS = 60_000

/**
 * Starts a headless browser: CHROMIUM_PATH, or the one unpacked from the npm package. With BROWSER_SLOWDOWN=4 pages
 * compute four times slower, which reveals tests that assume a fast page.
 */
export async function openBrowser(): Promise<Browser> {
  const browser = await driver.launch({ executablePath: await unpackBrowser(), args: FLAGS, headless: true })
  const slowdown = Number(process.env['BROWSER_SLOWDOWN'] || 1)
  browser.on('context', (context: BrowserContext) => {
    context.setDefaultTimeout(SEEN_WITHIN_MS)
    if (slowdown > 1) context.on('page', (page) => void slowDown(page, slowdown))
  })
  return browser
}

/** Divides the page's processor speed. A page that is closed meanwhile stays as it is. */
async function slowDown(page: Page, rate: number): Promise<void> {
  try {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate })
  } catch {
    // Closed meanwhile.
  }
}

/**
 * The path of the browser. The first call unpacks it, which two processes must not do at the same time: call it before
 * several of them start.
 */
export async function unpackBrowser(): Promise<string> {
  const configured = process.env['CHROMIUM_PATH']
  return configured === undefined || configured === '' ? chromium.executablePath() : configured
}
