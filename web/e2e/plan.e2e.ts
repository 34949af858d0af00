import { send, signUpUser } from '@tapeline/testing/api-client'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile, mailedLink, signInOn } from './browser.fixture.ts'
import { edgesOf, edgesOfBoth } from './edges-of.ts'
import { expectVisible } from './page-of-file.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const SUBSCRIPTION = `${gatewayUrl}/api/v1/internal/subscription`
const browser = browserOfFile()

async function verify(email: string): Promise<void> {
  const token = new URL(await mailedLink(email, paths.verifyEmail)).searchParams.get('token')
  expect((await send(`${gatewayUrl}/api/v1/internal/user/verify-email`, { body: { token } })).status).toBe(200)
}

test('the plan page shows the limits of the tier, and a trial from its start to its end', async () => {
  const person = await signUpUser(gatewayUrl)
  const { email, jwtToken } = person
  const page = await browser.newPage()
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await signInOn(page, person, paths.plan)

  const limits = page.getByRole('region', { name: 'Usage against limits' })
  await limits.getByText('/ 10', { exact: true }).waitFor()
  const trials = page.getByRole('region', { name: 'Trials' })
  await trials.getByText('Verify your email address first, then start the trial.').waitFor()
  const start = trials.getByRole('listitem').filter({ hasText: 'Pro' }).getByRole('button')
  expect(await start.getAttribute('aria-disabled')).toBe('true')

  await verify(email)
  await page.reload()
  await page.locator('button:not([aria-disabled])', { hasText: 'Start 14-day trial' }).first().waitFor()
  await start.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start trial' }).click()
  await page.getByRole('heading', { name: 'Your Pro trial ends in 14 days' }).waitFor()
  expect(await page.getByRole('link', { name: 'Keep Pro' }).getAttribute('href')).toBe('/contact?topic=sales')
  await limits.getByText('/ 500', { exact: true }).waitFor()
  const { body } = await send<{ data: { tier: string } }>(SUBSCRIPTION, { token: jwtToken })
  expect(body.data.tier).toBe('pro')

  // No call to the audit's paths, which are unavailable while its flag is off.
  expect(requested.filter((path) => path.includes('/apikeyaudit/'))).toEqual([])
  await limits.getByText('shared by all keys of the account').waitFor()

  await page.getByRole('button', { name: 'End trial' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Keep trial' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'End trial' }).press('Enter')
  await limits.getByText('/ 10', { exact: true }).waitFor()
  await trials.getByText('already used').waitFor()
  await trials.getByRole('link', { name: 'Upgrade to Pro' }).waitFor()
})

test('a plan that changed while the dialog was open is reported, and nothing is cancelled', async () => {
  const person = await signUpUser(gatewayUrl)
  await verify(person.email)
  const trial = { token: person.jwtToken, body: { tier: 'basic' } }
  expect((await send(`${SUBSCRIPTION}/trial`, trial)).status).toBe(201)
  const page = await browser.newPage()
  await signInOn(page, person, paths.plan)
  await page.getByRole('button', { name: 'End trial' }).click()
  await setTier(platform, person.user.id, 'pro')
  const dialog = page.getByRole('dialog', { name: 'End the trial' })
  await dialog.getByRole('button', { name: 'End trial' }).click()
  await dialog.getByText(/You are on the Pro plan/).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Cancel plan' }).waitFor()
  const { body } = await send<{ data: { tier: string } }>(SUBSCRIPTION, { token: person.jwtToken })
  expect(body.data.tier).toBe('pro')
})

test('the plan chosen on the pricing page goes through sign-up to the start of its trial', async () => {
  const page = await browser.newPage()
  await page.goto(platform.webUrl + paths.pricing)
  await page.locator('[data-head="basic"]').getByRole('link', { name: 'Start free' }).click()
  const email = `${crypto.randomUUID()}@example.com`
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mobile').fill('+441234567')
  await page.getByLabel('Password', { exact: true }).fill('Analytical-Engine-1')
  await page.getByLabel('Confirm password').fill('Analytical-Engine-1')
  await page.getByLabel(/I agree/).check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${platform.webUrl}/dashboard/plan?tier=basic`)
  await expectVisible(page.getByText('You chose Basic.').filter({ hasText: 'Open the link' }))

  await verify(email)
  await page.reload()
  await page.getByRole('dialog', { name: 'Try Basic for 14 days' }).getByRole('button', { name: 'Start trial' }).click()
  await page.getByRole('heading', { name: 'Your Basic trial ends in 14 days' }).waitFor()
})

test('at 360 px the account’s plan and the next one are fully visible; at 1,440 px limits and trials are side by side', async () => {
  const person = await signUpUser(gatewayUrl)
  await setTier(platform, person.user.id, 'pro')
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } })
  await signInOn(page, person, paths.plan)
  const own = page.getByRole('columnheader', { name: /Your plan/ })
  await own.waitFor()
  expect(await own.textContent()).toContain('Pro')
  expect((await edgesOf(own)).right).toBeLessThan(344)
  expect((await edgesOf(page.getByRole('columnheader', { name: 'Free', exact: true }))).right).toBeLessThan(344)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await page.locator('.forecast-chart').waitFor()
  const [first, now, last] = await page.evaluate<{ left: number; right: number }[]>(TIME_LABELS)
  expect(Number(first?.right)).toBeLessThan(Number(now?.left))
  expect(Number(now?.right)).toBeLessThan(Number(last?.left))
  await page.setViewportSize({ width: 1440, height: 900 })
  const region = (name: string) => page.getByRole('region', { name })
  await waitUntil('limits and trials are side by side', async () => {
    const [limits, trials] = await edgesOfBoth(region('Usage against limits'), region('Trials'))
    return trials.left > limits.right && trials.top === limits.top
  })
})

/** The first day, "now" and the last day below the forecast. */
const TIME_LABELS = `[...document.querySelectorAll('.forecast-chart .chart-x span')].map((label) => label.getBoundingClientRect().toJSON())`
