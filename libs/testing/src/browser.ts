import chromium from '@sparticuz/chromium'
import { type Browser, chromium as driver } from 'playwright-core'

export type { Browser, Locator, Page } from 'playwright-core'

/** What a page must not do in a test: talk to the network by itself. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A real headless browser: CHROMIUM_PATH, or the one the registry's package unpacks once. */
export async function openBrowser(): Promise<Browser> {
  const given = process.env['CHROMIUM_PATH']
  const executablePath = given === undefined || given === '' ? await chromium.executablePath() : given
  return driver.launch({ executablePath, args: FLAGS, headless: true })
}
