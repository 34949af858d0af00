import { createKeyFor, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import type { Locator, Page } from '@tapeline/testing/browser'
import { setLimits } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../../tests/platform/running-platform.ts'
import { paths } from '../../src/paths.ts'
import { fillInSignIn } from '../browser.fixture.ts'
import { expectVisibleAfter, type Ready, readyForFile } from './outage-of-file.ts'

// Messages of the pages when a limit is exhausted: pages of the gateway whose throttles are low, and an account with
// one request a minute.

const platform = runningPlatform()
const { webUrl, gatewayUrl, throttledGatewayUrl } = platform
const REQUESTS_MAX = 30
const TOO_MANY = /^Too many requests/
const SHOWN_WITHIN_MS = 5_000
const FULL_WITHIN_MS = 120_000

let ready: Ready
let page: Page
readyForFile(async (prepared) => {
  ready = prepared
  page = await ready.newTab()
  // Its pages call a different gateway than the first one.
  await page.route(`${gatewayUrl}/**`, (route) =>
    route.continue({ url: route.request().url().replace(gatewayUrl, throttledGatewayUrl) }),
  )
})

type Call = { path: string; method?: string }
type Form = { call: Call; open: () => Promise<unknown>; press: () => Promise<unknown>; message: Locator }

/** Fills in and submits a form until its limit is reached; repeated once if the machine was slower than the minute. */
async function expectMessageWhenFull({ call, open, press, message }: Form): Promise<void> {
  await waitUntil(
    'the page shows the throttle message',
    async () => {
      await open()
      await fillLimit(call)
      const answer = page.waitForResponse(
        (one) => one.url().endsWith(call.path) && one.request().method() !== 'OPTIONS',
      )
      await Promise.all([answer, press()])
      if ((await answer).status() !== 429) return false
      await message.waitFor({ timeout: SHOWN_WITHIN_MS })
      return true
    },
    FULL_WITHIN_MS,
  )
}

async function fillLimit({ path, method = 'POST' }: Call): Promise<void> {
  for (let n = 0; n < REQUESTS_MAX; n += 1) {
    const { status } = await send(throttledGatewayUrl + path, method === 'GET' ? {} : { method, body: {} })
    if (status === 429) return
  }
  throw new Error(`${path} has no throttle`)
}

test("signing in too often: 'Incorrect username or password', as any login failure", async () => {
  await expectMessageWhenFull({
    call: { path: '/api/v1/internal/user/login' },
    open: () => page.goto(webUrl + paths.login),
    press: () => fillInSignIn(page, { email: ready.account.email, password: 'not the password' }),
    message: page.getByRole('alert').getByText('Incorrect username or password', { exact: true }),
  })
})

test("asking for links too often: the server's message", async () => {
  await expectMessageWhenFull({
    call: { path: '/api/v1/internal/user/forgot-password' },
    open: async () => {
      await page.goto(webUrl + paths.forgotPassword)
      await page.getByLabel('Email').fill('unknown@example.com')
    },
    press: () => page.getByRole('button', { name: 'Send reset link' }).click(),
    message: page.getByRole('alert').getByText(TOO_MANY),
  })
})

test("signing up too often: the server's message", async () => {
  const texts = { 'First name': 'Grace', 'Last name': 'Hopper', Email: 'grace@example.com', Mobile: '+1 555 0100' }
  await expectMessageWhenFull({
    call: { path: '/api/v1/internal/user/create', method: 'PUT' },
    open: async () => {
      await page.goto(webUrl + paths.signup)
      for (const [label, text] of Object.entries(texts)) await page.getByLabel(label).fill(text)
      // A common password, which is always rejected.
      for (const label of ['Password', 'Confirm password']) {
        await page.getByLabel(label, { exact: true }).fill('password')
      }
      await page.getByLabel('I agree').check()
    },
    press: () => page.getByRole('button', { name: 'Create account' }).click(),
    message: page.getByRole('alert').getByText(TOO_MANY),
  })
})

test('the live tape is paused after too many requests', async () => {
  await expectMessageWhenFull({
    call: { path: '/api/v1/sample', method: 'GET' },
    open: () => page.goto(webUrl + paths.status),
    press: () => page.goto(webUrl + paths.home),
    message: page.getByText('Paused', { exact: true }),
  })
})

test("the plan's limit: a new key shows when its next request is possible", async () => {
  const person = await signUpUser(gatewayUrl)
  await setLimits(platform, person.user.id, { requestsPerMinute: 1 })
  const { apiKey } = await createKeyFor(gatewayUrl, person.jwtToken, 'busy')
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  const keys = await ready.newTab()
  await keys.goto(`${webUrl}${paths.login}?next=${paths.apiKeys}`)
  await fillInSignIn(keys, person)
  await keys.getByRole('button', { name: 'Create API Key' }).click()
  const create = keys.getByRole('dialog', { name: 'Create API Key' })
  await create.getByLabel('Key Name').fill('one more')
  await create.getByRole('button', { name: 'Create API Key' }).click()
  const once = keys.getByRole('dialog', { name: 'API Key Created' })
  await expectVisibleAfter(keys, 'Send a request', once.getByText('429', { exact: true }))
})
