import { send, signUpSomebody } from '@tapeline/testing/api-client'
import { setTier } from '@tapeline/testing/set-subscription'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile, mailedLink, signInOn } from './browser-under-test.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const SUBSCRIPTION = `${gatewayUrl}/api/v1/internal/subscription`
const browser = browserOfFile()

async function verify(email: string): Promise<void> {
  const token = new URL(await mailedLink(email, paths.verifyEmail)).searchParams.get('token')
  expect((await send(`${gatewayUrl}/api/v1/internal/user/verify-email`, { body: { token } })).status).toBe(200)
}

test('the plan page shows the limits of the tier, and a trial from its start to its end', async () => {
  const person = await signUpSomebody(gatewayUrl)
  const { email, jwtToken } = person
  const page = await browser.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await signInOn(page, person, paths.plan)

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
  const { body } = await send<{ data: { tier: string } }>(SUBSCRIPTION, { token: jwtToken })
  expect(body.data.tier).toBe('pro')

  // Nothing that is closed where the audit is switched off.
  expect(asked.filter((path) => path.includes('/apikeyaudit/'))).toEqual([])
  await limits.getByText('shared by all keys of the account').waitFor()

  await page.getByRole('button', { name: 'Cancel Trial' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Trial' }).press('Enter')
  await limits.getByText('/ 10', { exact: true }).waitFor()
  await trials.getByText('you had it').waitFor()
})

test('a plan that became another one while the question was read is told, and nothing is cancelled', async () => {
  const person = await signUpSomebody(gatewayUrl)
  await verify(person.email)
  const trial = { token: person.jwtToken, body: { tier: 'basic' } }
  expect((await send(`${SUBSCRIPTION}/trial`, trial)).status).toBe(201)
  const page = await browser.newPage()
  await signInOn(page, person, paths.plan)
  await page.getByRole('button', { name: 'Cancel Trial' }).click()
  await setTier(platform, person.user.id, 'pro')
  const dialog = page.getByRole('dialog', { name: 'Cancel the trial' })
  await dialog.getByRole('button', { name: 'Cancel Trial' }).click()
  await dialog.getByText(/you have the pro tier/).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Cancel Plan' }).waitFor()
  const { body } = await send<{ data: { tier: string } }>(SUBSCRIPTION, { token: person.jwtToken })
  expect(body.data.tier).toBe('pro')
})
