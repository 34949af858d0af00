import type { SignedIn } from '@tapeline/contracts/identity/http'
import { type Browser, type Locator, openBrowser, type Page } from '@tapeline/testing/browser'
import { afterAll, beforeAll } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { presentBasicUser } from '../src/session/present-user.ts'

export type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>

/** One page for all tests of a file, with its initial calls. */
export function pageOfFile(begin: () => Promise<ContextOptions> | ContextOptions = () => ({})): () => Page {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    const options = await begin()
    browser = await openBrowser()
    page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage()
  })
  afterAll(() => browser?.close())
  return () => page
}

/** Waits until it is visible. */
export async function expectVisible(...all: Locator[]): Promise<void> {
  for (const one of all) await one.waitFor()
}

/** Browser storage right after sign-in: no role yet. */
export function sessionOf({ jwtToken, refreshToken, expiresAt, user }: SignedIn): Pick<ContextOptions, 'storageState'> {
  const { origin, hostname, port } = new URL(runningPlatform().webUrl)
  const stored = {
    refreshToken,
    expiresAt: String(expiresAt),
    user: JSON.stringify(presentBasicUser(user)),
    isAuthenticated: 'true',
    identity: 'NONE',
    provider: 'NONE',
    jwtToken,
  }
  const mark = { domain: hostname, path: '/', expires: -1, httpOnly: false, secure: false, sameSite: 'Strict' } as const
  return {
    storageState: {
      cookies: [{ name: `tapeline-session-${port}`, value: 'browser', ...mark }],
      origins: [{ origin, localStorage: Object.entries(stored).map(([name, value]) => ({ name, value })) }],
    },
  }
}
