import chromium from '@sparticuz/chromium'
import { type Browser, chromium as driver } from 'playwright-core'

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

/** Starts a headless browser: CHROMIUM_PATH, or the one unpacked from the npm package. */
export async function openBrowser(): Promise<Browser> {
  const given = process.env['CHROMIUM_PATH']
  const executablePath = given === undefined || given === '' ? await chromium.executablePath() : given
  return driver.launch({ executablePath, args: FLAGS, headless: true })
}
