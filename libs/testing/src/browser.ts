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
  return driver.launch({ executablePath: await unpackBrowser(), args: FLAGS, headless: true })
}

/**
 * The path of the browser. The first call unpacks it, which two processes must not do at the same time: call it before
 * several of them start.
 */
export async function unpackBrowser(): Promise<string> {
  const configured = process.env['CHROMIUM_PATH']
  return configured === undefined || configured === '' ? chromium.executablePath() : configured
}
