import { send, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import type { ContextOptions } from './page-of-file.ts'

const MAIL_WITHIN_MS = 30_000

/** One browser per test file; each test's pages have separate storage and are closed after it. */
export function browserOfFile() {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  afterAll(() => browser?.close())
  return {
    newPage: async (options: ContextOptions = {}): Promise<Page> =>
      (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage(),
  }
}

type Credentials = Pick<TestAccount, 'email' | 'password'>

export async function fillInSignIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Submits the sign-in form and waits for the requested page. */
export async function signInOn(page: Page, person: Credentials, target: string = paths.profile): Promise<void> {
  const search = target === paths.profile ? '' : `?${new URLSearchParams({ next: target }).toString()}`
  await page.goto(runningPlatform().webUrl + paths.login + search)
  await fillInSignIn(page, person)
  await page.waitForURL((url) => url.pathname + url.search === target)
}

/** Opens a mailed link at the origin of the pages, because the mail uses localhost. */
export function mailedLink(email: string, path: string): Promise<string> {
  const { mailUrl, webUrl } = runningPlatform()
  const find = async () => {
    const { body } = await send<{ messages: { text: string }[] }>(`${mailUrl}/messages?to=${encodeURIComponent(email)}`)
    const links = body.messages.flatMap(({ text }) => text.match(/https?:\/\/\S+token=\S+/g) ?? [])
    const link = links.find((each) => each.includes(`${path}?`))
    return link && webUrl + link.slice(link.indexOf(path))
  }
  return waitUntil(`the mail with a link to ${path}`, find, MAIL_WITHIN_MS)
}
