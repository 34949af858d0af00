import { send, signUpSomebody } from '@tapeline/testing/api-client'
import { type Browser, openBrowser } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const { webUrl, gatewayUrl, mailUrl } = runningPlatform()
const SENT_WITHIN_MS = 30_000

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

async function verify(email: string): Promise<void> {
  const find = async () => {
    const { body } = await send<{ messages: { text: string }[] }>(`${mailUrl}/messages?to=${encodeURIComponent(email)}`)
    return body.messages.flatMap(({ text }) => /verify-email\?token=([\w-]+)/.exec(text)?.[1] ?? []).at(0)
  }
  const token = await waitUntil('the mail with the link', find, SENT_WITHIN_MS)
  expect((await send(`${gatewayUrl}/api/v1/internal/user/verify-email`, { body: { token } })).status).toBe(200)
}

test('the plan page shows the limits of the tier, and a trial from its start to its end', async () => {
  const { email, password, jwtToken } = await signUpSomebody(gatewayUrl)
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(`${webUrl}${paths.login}?next=${paths.plan}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  const limits = page.getByRole('region', { name: 'Usage against limits' })
  await limits.getByText('/ 10', { exact: true }).waitFor()
  const trials = page.getByRole('region', { name: 'Trials' })
  await trials.getByText('Verify your e-mail address first, then start the trial.').waitFor()
  const start = trials.getByRole('listitem').filter({ hasText: 'Pro' }).getByRole('button')
  expect(await start.getAttribute('aria-disabled')).toBe('true')

  await verify(email)
  await page.reload()
  await page.locator('button:not([aria-disabled])', { hasText: 'Start 14-day trial' }).first().waitFor()
  await start.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start Trial' }).click()
  await page.getByText(/The trial of Pro has 14 days left/).waitFor()
  await limits.getByText('/ 500', { exact: true }).waitFor()
  const { body } = await send<{ data: { tier: string } }>(`${gatewayUrl}/api/v1/internal/subscription`, {
    token: jwtToken,
  })
  expect(body.data.tier).toBe('pro')

  await page.getByRole('button', { name: 'Cancel Trial' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Trial' }).click()
  await limits.getByText('/ 10', { exact: true }).waitFor()
  await trials.getByText('you had it').waitFor()
  await page.context().close()
})
