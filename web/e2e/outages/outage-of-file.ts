import { signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, type Locator, openBrowser, type Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, inject } from 'vitest'
import { runningPlatform } from '../../../tests/platform/running-platform.ts'
import { sessionOf } from '../page-of-file.ts'

export type ServiceName = 'identity' | 'api-key' | 'audit' | 'config' | 'market-data' | 'gateway'

/** The gateway's message for an unavailable service. */
export const UNAVAILABLE = 'A service did not respond. Try again in a moment.'
const RECOVERED_WITHIN_MS = 60_000
const PRESSED_WITHIN_MS = 2_000
const CONTROL_TIMEOUT_MS = 90_000

export type Ready = { account: TestAccount; newTab: () => Promise<Page>; signedInTab: (path: string) => Promise<Page> }

/** A user signs in and opens what `prepare` returns; then the service is stopped until `end`, or the end of the file. */
export function outageOfFile(
  name: ServiceName,
  prepare: (ready: Ready) => Promise<void>,
): { end: () => Promise<void> } {
  let isUnavailable = false
  async function end(): Promise<void> {
    if (!isUnavailable) return
    isUnavailable = false
    await control('restart', name)
  }
  readyForFile(async (ready) => {
    await prepare(ready)
    isUnavailable = true
    await control('kill', name)
  })
  afterAll(end)
  return { end }
}

/** An admin with a new account and one browser per file. */
export function readyForFile(prepare: (ready: Ready) => Promise<void>): void {
  let browser: Browser | undefined
  beforeAll(async () => {
    const platform = runningPlatform()
    browser = await openBrowser()
    const account = await signUpUser(platform.gatewayUrl)
    const operator = callOperator(platform)
    await operator.ofUsers('set-role', account.user.id, 'admin')
    await operator.close()
    const options = { reducedMotion: 'reduce', locale: 'en-GB' } as const
    const signedIn = await browser.newContext({ ...options, ...sessionOf(account) })
    const visitor = await browser.newContext(options)
    await prepare({
      account,
      newTab: () => visitor.newPage(),
      signedInTab: async (path) => {
        const page = await signedIn.newPage()
        await page.goto(platform.webUrl + path)
        return page
      },
    })
  })
  afterAll(() => browser?.close())
}

/**
 * Clicks again until the text appears: messages stay for 3 s, and the gateway detects within a second that a service is
 * available.
 */
export async function expectVisibleAfter(page: Page, button: string, expected: Locator): Promise<void> {
  await waitUntil(
    `"${button}" helps`,
    async () => {
      if (await expected.isVisible()) return true
      await page.getByRole('button', { name: button, exact: true }).first().click({ timeout: PRESSED_WITHIN_MS })
      await expected.waitFor({ timeout: PRESSED_WITHIN_MS })
      return true
    },
    RECOVERED_WITHIN_MS,
  )
}

async function control(what: 'kill' | 'restart', name: ServiceName): Promise<void> {
  const url = `${inject('outagesUrl')}/${what}/${name}`
  const answer = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(CONTROL_TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`${what} ${name}: ${await answer.text()}`)
}
