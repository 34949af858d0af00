import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import type { UserPage } from '@tapeline/contracts/identity/admin'
import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { callOperator } from '@tapeline/testing/operator'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { cutCalls } from './calls-of-page.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const operator = callOperator(platform)

let browser: Browser
let page: Page
let admin: TestAccount
let newUser: TestAccount
beforeAll(async () => {
  browser = await openBrowser()
  admin = await signUpUser(gatewayUrl)
  newUser = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(`${webUrl}${paths.login}?${new URLSearchParams({ next: `${paths.admin}?tab=users` }).toString()}`)
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('table').waitFor()
})
afterAll(async () => {
  await browser?.close()
  await operator.close()
})

const toasted = (text: string | RegExp) => page.locator('.toasts b', { hasText: text }).waitFor()
const open = (query: Record<string, string>) =>
  page.goto(`${webUrl}${paths.admin}?${new URLSearchParams(query).toString()}`)

async function read<T>(path: string): Promise<T> {
  const { body } = await send<{ data: T }>(`${gatewayUrl}${path}`, { token: admin.jwtToken })
  return body.data
}

test('an admin finds an account, changes its role, deactivates and reactivates it', async () => {
  const found = () => read<UserPage>(`/api/v1/admin/users?${new URLSearchParams({ search: newUser.email }).toString()}`)
  await page.getByRole('searchbox', { name: 'Find an account' }).fill(newUser.email)
  await page.waitForURL(new RegExp(encodeURIComponent(newUser.email)))
  await page.getByRole('table').getByText(newUser.email).click()
  const panel = page.getByRole('complementary', { name: 'Ada Lovelace' })
  await panel.getByText('Requests per minute').waitFor()
  expect(await findBarriers(page)).toEqual([])

  await panel.getByRole('button', { name: 'Change role' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('button', { name: 'Change role' }).getAttribute('aria-disabled')).toBe('true')
  await dialog.getByLabel('Role').selectOption('tester')
  await dialog.getByText('They can create, turn on or off, and delete the flags of users and testers.').waitFor()
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await toasted(`${newUser.email} has the role tester`)
  await panel.getByText('tester').waitFor()
  expect((await found()).users).toMatchObject([{ role: 'tester', status: 'active' }])

  const token = newUser.jwtToken
  const isRefused = async () =>
    (await send(`${gatewayUrl}/api/v1/internal/api-keys`, { token })).status !== 200 ? true : undefined
  await panel.getByRole('button', { name: 'Deactivate' }).click()
  await dialog.getByText('Nothing is deleted; everything works again when the account is active.').waitFor()
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await toasted(`${newUser.email} is inactive`)
  expect(await waitUntil('the account is refused', isRefused)).toBe(true)
  await panel.getByRole('button', { name: 'Activate', exact: true }).click()
  await dialog.getByRole('button', { name: 'Activate', exact: true }).click()
  await toasted(`${newUser.email} is active`)
  expect((await found()).users).toMatchObject([{ role: 'tester', status: 'active' }])
})

test('the search keeps the focus while an account is open beside the list', async () => {
  await open({ tab: 'users', search: newUser.email })
  await page.getByRole('table').getByText(newUser.email).click()
  const panel = page.getByRole('complementary', { name: 'Ada Lovelace' })
  await panel.getByText('Requests per minute').waitFor()
  const field = page.getByRole('searchbox', { name: 'Find an account' })
  await field.fill(newUser.email.slice(0, -8))
  await page.waitForURL((url) => url.searchParams.get('search') === newUser.email.slice(0, -8))
  await page.keyboard.type(newUser.email.slice(-8))
  await page.waitForURL((url) => url.searchParams.get('search') === newUser.email)
  expect(await field.inputValue()).toBe(newUser.email)
  await panel.getByText('Requests per minute').waitFor()
})

test('account-specific limits: errors are shown at their fields, and saved limits are displayed', async () => {
  const subscription = `/api/v1/admin/subscriptions/${newUser.user.id}`
  await open({ tab: 'users', user: newUser.user.id, search: newUser.email })
  await page.getByRole('button', { name: 'Change plan' }).click()
  const dialog = page.getByRole('dialog').first()
  await dialog.getByLabel('Tier', { exact: true }).selectOption('basic')
  await dialog.getByLabel('Custom limits').check()
  await dialog.getByLabel('Burst, per second').fill('many')
  await dialog.getByLabel('Why').fill('a benchmark')
  await dialog.getByRole('button', { name: 'Save plan' }).click()
  await dialog.getByText(/burstLimit must be a whole number/).waitFor()
  const burst = dialog.getByLabel('Burst, per second')
  await dialog.locator('[name="burstLimit"]:focus').waitFor()
  expect(await read<SubscriptionRecord>(subscription)).toMatchObject({ tier: 'free', rate_limits: null })

  const body = { tier: 'pro' }
  const other = await send(`${gatewayUrl}${subscription}`, { method: 'PUT', token: admin.jwtToken, body })
  expect(other.status).toBe(200)
  await burst.fill('77')
  await dialog.getByRole('button', { name: 'Save plan' }).click()
  const notice = page.getByRole('dialog', { name: /was changed in the meantime/ })
  await notice.getByText('"free" → "pro"').waitFor()
  await notice.getByRole('button', { name: 'Overwrite with mine' }).click()
  await toasted(/^The plan of .* is saved/)
  await page.getByText('custom limits', { exact: true }).waitFor()
  expect(await read<SubscriptionRecord>(subscription)).toMatchObject({ tier: 'basic', rate_limits: { burstLimit: 77 } })
})

test('a conflict whose newest version cannot be loaded is an error in the dialog, and the input stays', async () => {
  const token = admin.jwtToken
  const { user } = await signUpUser(gatewayUrl)
  const subscription = `/api/v1/admin/subscriptions/${user.id}`
  await open({ tab: 'users', user: user.id, search: user.email })
  await page.getByRole('button', { name: 'Change plan' }).click()
  const plan = page.getByRole('dialog', { name: /^Change the plan of/ })
  await plan.getByLabel('Why').fill('support case')
  await plan.getByLabel('Tier', { exact: true }).selectOption('pro')
  const change = { method: 'PUT', token, body: { tier: 'basic' } } as const
  expect((await send(`${gatewayUrl}${subscription}`, change)).status).toBe(200)
  const connectPlan = await cutCalls(page, { to: `**${subscription}`, method: 'GET' })
  await plan.getByRole('button', { name: 'Save plan' }).click()
  await plan.getByRole('alert').getByText('The plan could not be saved. Please try again.').waitFor()
  expect(await plan.getByLabel('Why').inputValue()).toBe('support case')
  expect(await read<SubscriptionRecord>(subscription)).toMatchObject({ tier: 'basic' })
  await connectPlan()
  await plan.getByRole('button', { name: 'Save plan' }).click()
  await page
    .getByRole('dialog', { name: /was changed in the meantime/ })
    .getByText('"free" → "basic"')
    .waitFor()
})

test('a conflict of the tiers whose newest version cannot be loaded is an error in the dialog', async () => {
  const token = admin.jwtToken
  const before = await read<TierEdition>('/api/v1/admin/tiers')
  const store = (tiers: TierEdition['tiers'], version: number) =>
    send<{ data: TierEdition }>(`${gatewayUrl}/api/v1/admin/tiers`, { method: 'PUT', token, body: { tiers, version } })
  await open({ tab: 'tiers', tier: 'pro' })
  const [mine, other] = [crypto.randomUUID(), crypto.randomUUID()]
  await page.getByLabel('Availability').fill(mine)
  await page.getByRole('button', { name: 'Review 1 change' }).click()
  const { pro } = before.tiers
  const theirs = { ...before.tiers, pro: { ...pro, support: { ...pro.support, availability: other } } }
  const { status, body } = await store(theirs, before.version)
  expect(status).toBe(200)
  const connectTiers = await cutCalls(page, { to: '**/api/v1/admin/tiers', method: 'GET' })
  const review = page.getByRole('dialog', { name: 'Save the tiers' })
  await review.getByRole('button', { name: 'Save tiers' }).click()
  await review.getByRole('alert').getByText('The tiers could not be saved. Please try again.').waitFor()
  await review.getByText(mine).waitFor()
  await connectTiers()
  await review.getByRole('button', { name: 'Save tiers' }).click()
  await page
    .getByRole('dialog', { name: /was changed in the meantime/ })
    .getByText(`is now "${other}"`)
    .waitFor()
  expect((await store(before.tiers, body.data.version)).status).toBe(200)
})

test('a tier is edited: errors are shown at their fields, changes are reviewed, compared and restored', async () => {
  const tiers = () => read<TierEdition>('/api/v1/admin/tiers')
  const before = await tiers()
  await open({ tab: 'tiers', tier: 'pro' })
  const perMinute = page.getByLabel('Requests per minute')
  const { requestsPerMinute, requestsPerHour } = before.tiers.pro.rateLimits
  await perMinute.fill(`${requestsPerHour + 1}`)
  await page.getByRole('button', { name: 'Review 1 change' }).click()
  const dialog = page.getByRole('dialog')
  const shown = new Intl.NumberFormat('en-US').format(requestsPerHour + 1)
  await dialog.getByText(`${requestsPerMinute} → ${shown}`).waitFor()
  await dialog.getByRole('button', { name: 'Save tiers' }).click()
  await page.getByText('requestsPerMinute is above requestsPerHour').waitFor()
  expect((await tiers()).version).toBe(before.version)
  expect(await findBarriers(page)).toEqual([])

  await perMinute.fill(`${requestsPerMinute}`)
  await page.getByRole('button', { name: /^Review/ }).waitFor({ state: 'detached' })
  const availability = `Office hours ${crypto.randomUUID().slice(0, 8)}`
  await page.getByLabel('Availability').fill(availability)
  await page.getByRole('button', { name: 'Review 1 change' }).click()
  await dialog.getByLabel('Why').fill('a calmer night')
  await dialog.getByRole('button', { name: 'Save tiers' }).click()
  await toasted(/^The tiers are saved as version/)
  expect((await tiers()).tiers.pro.support.availability).toBe(availability)

  await page.getByRole('navigation', { name: 'Tiers' }).getByRole('button', { name: 'History' }).click()
  await page.getByRole('region', { name: 'Compare versions' }).getByText(availability).waitFor()
  const versions = page.getByRole('region', { name: 'Versions' })
  await versions.getByText('you, “a calmer night”').waitFor()
  await page.getByLabel('Time (UTC)').fill('2000-01-01T00:00')
  await page.getByText('There are no tier documents with this version or at this time.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await versions.getByRole('button', { name: 'Undo' }).click()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await toasted(/^The tiers are as in version/)
  expect((await tiers()).tiers).toEqual(before.tiers)
})
