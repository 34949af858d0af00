import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { waitUntil } from '@tapeline/testing/wait-until'
import { beforeEach, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile, fillInSignIn, signInOn } from './browser.fixture.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const LOGIN_FAILED = 'Incorrect username or password'

const browser = browserOfFile()
let page: Page
beforeEach(async () => {
  page = await browser.newPage()
})

async function signInOnThePage(person: TestAccount): Promise<void> {
  await signInOn(page, person)
  await page.getByText(person.email).first().waitFor()
}

const stored = (name: string) => page.evaluate<string | null>(`localStorage.getItem(${JSON.stringify(name)})`)

test('a wrong password and an unknown e-mail get the same message, the input stays, and the right password signs in', async () => {
  const person = await signUpUser(gatewayUrl)
  await page.goto(webUrl + paths.login)
  await fillInSignIn(page, { ...person, password: 'not the password' })
  await page.getByText(LOGIN_FAILED).waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(person.email)
  // The first message is still shown.
  const answered = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/user/login'),
  )
  await fillInSignIn(page, { ...person, email: `${crypto.randomUUID()}@example.com` })
  expect((await answered).ok()).toBe(false)
  await page.getByText(LOGIN_FAILED).waitFor()
  expect(await stored('jwtToken')).toBeNull()
  await fillInSignIn(page, person)
  await page.waitForURL((url) => url.pathname === paths.profile)
})

test('two tabs whose token is rejected at the same time refresh once, and both continue', async () => {
  const person = await signUpUser(gatewayUrl)
  await signInOnThePage(person)
  const other = await page.context().newPage()
  await other.goto(webUrl + paths.profile)
  await other.getByText(person.email).first().waitFor()
  const before = await stored('refreshToken')

  const refreshes: string[] = []
  page.context().on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/user/refresh')) refreshes.push(request.url())
  })
  await page.evaluate(`localStorage.setItem('jwtToken', localStorage.getItem('jwtToken').slice(0, -8) + 'AAAAAAAA')`)
  await Promise.all([page.reload(), other.reload()])
  for (const tab of [page, other]) {
    await tab.getByText(person.email).first().waitFor()
    expect(new URL(tab.url()).pathname).toBe(paths.profile)
  }
  await waitUntil('the session is refreshed', async () => (await stored('refreshToken')) !== before)
  expect(refreshes).toHaveLength(1)
  const token = (await stored('jwtToken')) ?? ''
  expect((await send(`${gatewayUrl}/api/v1/internal/user/details`, { token })).status).toBe(200)
})

test('a user who is deactivated while signed in is signed out, at the latest by their next action', async () => {
  const person = await signUpUser(gatewayUrl)
  await signInOnThePage(person)
  const operator = callOperator(platform)
  try {
    await operator.ofUsers('set-status', person.user.id, 'inactive')
    await page.goto(webUrl + paths.apiKeys)
    await page.waitForURL((url) => url.pathname === paths.login)
    expect([await stored('jwtToken'), await stored('refreshToken'), await stored('user')]).toEqual([null, null, null])
    await fillInSignIn(page, person)
    await page.getByText(LOGIN_FAILED).waitFor()
    await operator.ofUsers('set-status', person.user.id, 'active')
    await fillInSignIn(page, person)
    await page.waitForURL((url) => url.pathname !== paths.login)
  } finally {
    await operator.close()
  }
})
