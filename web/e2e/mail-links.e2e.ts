import { send, signUpSomebody, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const { webUrl, gatewayUrl, mailUrl } = runningPlatform()
const user = `${gatewayUrl}/api/v1/internal/user`
const SENT_WITHIN_MS = 30_000

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
})
afterEach(() => page.context().close())

const button = (name: string) => page.getByRole('button', { name })

/** At the origin where the browser is signed in: the mail says localhost. */
function linkTo(email: string, path: string): Promise<string> {
  const find = async () => {
    const { body } = await send<{ messages: { text: string }[] }>(`${mailUrl}/messages?to=${encodeURIComponent(email)}`)
    const links = body.messages.flatMap(({ text }) => text.match(/https?:\/\/\S+token=\S+/g) ?? [])
    const link = links.find((each) => each.includes(`${path}?`))
    return link && webUrl + link.slice(link.indexOf(path))
  }
  return waitUntil(`the mail with a link to ${path}`, find, SENT_WITHIN_MS)
}

async function signIn({ email, password }: TestAccount): Promise<void> {
  await page.goto(webUrl + paths.login)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button('Sign in').click()
  await page.waitForURL((url) => url.pathname === paths.profile)
}

test('the dashboard asks for it, the link in the mail verifies the address, and the hint is gone', async () => {
  const person = await signUpSomebody(gatewayUrl)
  await signIn(person)
  const hint = page.getByRole('region', { name: 'Email verification' })
  await hint.waitFor()
  await button('Send it again').click()
  await page.getByText('A mail was sent a moment ago.').waitFor()
  const link = await linkTo(person.email, paths.verifyEmail)
  await page.goto(link)
  await page.getByRole('heading', { name: 'Verify your email' }).waitFor()
  expect(page.url()).not.toContain('token')
  await button('Verify this address').click()
  await page.getByText(`${person.email} is verified.`).waitFor()
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await page.waitForURL((url) => url.pathname === paths.profile)
  expect(await hint.count()).toBe(0)
  await page.goto(link)
  await button('Verify this address').click()
  await page.getByText('This link is invalid or has expired. Please request a new one.').waitFor()
})

test('a new address is used from the moment its link is confirmed, by whoever opens the mail', async () => {
  const person = await signUpSomebody(gatewayUrl)
  const newEmail = `${crypto.randomUUID()}@example.com`
  const body = { newEmail, currentPassword: person.password }
  expect((await send(`${user}/change-email`, { token: person.jwtToken, body })).status).toBe(200)
  await page.goto(await linkTo(newEmail, paths.confirmEmail))
  await button('Use this address').click()
  await page.getByText(`Sign in with ${newEmail} from now on.`).waitFor()
  await signIn({ ...person, email: newEmail })
})

test('the link of an export saves the file', async () => {
  const person = await signUpSomebody(gatewayUrl)
  expect((await send(`${user}/export`, { method: 'POST', token: person.jwtToken })).status).toBe(202)
  await page.goto(await linkTo(person.email, paths.accountExport))
  const downloading = page.waitForEvent('download')
  await button('Download').click()
  const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(file).toMatchObject({ format: 'tapeline-account/1', profile: { email: person.email } })
  await page.getByText('It is in the file tapeline-account.json.').waitFor()
})
