import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { cutCalls, delayCalls } from './calls-of-page.ts'
import { expectVisible, pageOfFile, sessionOf } from './page-of-file.ts'

// Specification §2, §4, §6 and §8, feature flags: permissions of each role, and error messages.

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const FLAGS = `${gatewayUrl}/api/v1/admin/feature-flags`
const CALLS = '**/api/v1/admin/feature-flags'
const operator = callOperator(platform)
afterAll(() => operator.close())

type Role = 'user' | 'tester' | 'admin'
type Flag = { flag_key: string; enabled: boolean; is_active: boolean }

let admin: TestAccount
const asUser = pageOfFile(async () => sessionOf(await signUpUser(gatewayUrl)))
const asTester = pageOfFile(async () => sessionOf(await signUpAs('tester')))
const page = pageOfFile(async () => sessionOf((admin = await signUpAs('admin'))))

async function signUpAs(role: Role): Promise<TestAccount> {
  const newUser = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', newUser.user.id, role)
  return newUser
}

const newKey = () => `e2e_${crypto.randomUUID().replaceAll('-', '_')}`
const flagsOf = (role: Role, where = page()) => where.getByRole('region', { name: `${role} flags` })
const toasted = (where: Page, text: string) => where.locator('.toasts b', { hasText: text }).waitFor()

async function flagNow(key: string): Promise<Flag | undefined> {
  const { body } = await send<{ data: Flag[] }>(FLAGS, { token: admin.jwtToken })
  return body.data.find(({ flag_key }) => flag_key === key)
}

/** Calls of the admin API that a page makes without user action. */
async function loadsOf(where: Page, isThere: () => Promise<unknown>): Promise<string[]> {
  const names = new Set<string>()
  where.on('request', (request) => {
    const [, name] = /\/api\/v1\/admin\/([\w-]+)/.exec(request.url()) ?? []
    if (name !== undefined) names.add(name)
  })
  await where.goto(webUrl + paths.admin)
  await isThere()
  return [...names].toSorted()
}

async function create(where: Page, key: string): Promise<void> {
  await where.getByRole('button', { name: 'Create flag' }).click()
  const dialog = where.getByRole('dialog')
  await dialog.getByLabel('Flag key').fill(key)
  await dialog.getByRole('button', { name: 'Create flag' }).click()
}

async function openDeleteDialog(where: Page, key: string): Promise<void> {
  await where.getByRole('button', { name: `Actions for ${key}` }).click()
  await where.getByRole('menuitem', { name: 'Delete' }).click()
  await where.getByRole('dialog').getByText('Are you sure you want to delete this feature flag?').waitFor()
}

test('calls of the admin page: none for a user', async () => {
  const restricted = 'Access Restricted: You need admin or tester privileges to access this section.'
  expect(await loadsOf(asUser(), () => asUser().getByText(restricted).waitFor())).toEqual([])
  expect(await asUser().getByRole('link', { name: 'Admin Controls' }).count()).toBe(0)
})

test('calls of the admin page: only flags for a tester, who has the Admin Controls entry', async () => {
  const loads = await loadsOf(asTester(), () => asTester().getByRole('switch').first().waitFor())
  expect(loads).toEqual(['feature-flags'])
  expect(await asTester().getByRole('link', { name: 'Admin Controls' }).first().getAttribute('href')).toBe(paths.admin)
})

test('calls of the admin page: flags and global configurations for an admin', async () => {
  const configs = page().waitForResponse(`${gatewayUrl}/api/v1/admin/global-configs`)
  const isThere = () => Promise.all([configs, page().getByRole('switch').first().waitFor()])
  expect(await loadsOf(page(), isThere)).toEqual(['feature-flags', 'global-configs'])
})

test.each([
  ['user', asUser],
  ['tester', asTester],
  ['admin', page],
] as const)('dashboard pages (authenticated): yes for %s', async (_role, where) => {
  for (const [name, path] of [
    ['API Keys', paths.apiKeys],
    ['API Key Audit', paths.metrics],
    ['Settings', paths.settings],
    ['Profile', paths.profile],
  ] as const) {
    await where().locator('.sidebar .nav').getByRole('link', { name, exact: true }).click()
    await where().waitForURL(webUrl + path)
    await expectVisible(where().getByRole('heading', { level: 1, name, exact: true }))
  }
})

test('the tabs: Feature Flags (default) and Global Configurations', async () => {
  await page().getByRole('link', { name: 'Admin Controls' }).first().click()
  await page().getByRole('switch').first().waitFor()
  const tabs = (await page().getByRole('tab').allTextContents()).slice(0, 2)
  expect(tabs).toEqual(['Feature Flags', 'Global Configurations'])
  expect(await page().getByRole('tab', { name: 'Feature Flags' }).getAttribute('aria-selected')).toBe('true')
})

test.each([
  ['admin', 'purple', 290, 330],
  ['tester', 'green', 130, 170],
  ['user', 'blue', 230, 270],
] as const)('the role badge of %s is %s', async (role, _colour, from, to) => {
  const color = await page().evaluate<string>(`getComputedStyle(document.querySelector('.tag-${role}')).color`)
  const hue = Number(/oklch\([\d.]+ [\d.]+ ([\d.]+)/.exec(color)?.[1])
  expect(hue, color).toBeGreaterThan(from)
  expect(hue, color).toBeLessThan(to)
})

test('groups are collapsible', async () => {
  const head = flagsOf('user').locator('.flag-head')
  await head.click()
  await flagsOf('user').getByRole('table').waitFor({ state: 'detached' })
  await head.click()
  await expectVisible(flagsOf('user').getByRole('table'))
})

test('role choices user, tester, admin (default user); the key is lowercase snake_case', async () => {
  await page().getByRole('button', { name: 'Create flag' }).click()
  const dialog = page().getByRole('dialog')
  const roles = dialog.getByLabel('Role')
  expect(await roles.locator('option').allTextContents()).toEqual(['user', 'tester', 'admin'])
  expect(await roles.inputValue()).toBe('user')
  await dialog.getByText(/^Lowercase snake_case/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('a tester creates, toggles and deletes a flag', async () => {
  const key = newKey()
  const where = asTester()
  await where.getByRole('link', { name: 'Admin Controls' }).first().click()
  await create(where, key)
  await toasted(where, `${key} is created`)
  await where.getByRole('switch', { name: key }).click()
  await toasted(where, `${key} is on`)
  expect(await flagNow(key)).toMatchObject({ enabled: true, is_active: true })
  await openDeleteDialog(where, key)
  await where.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await toasted(where, `${key} is deleted`)
  expect((await flagNow(key))?.is_active ?? false).toBe(false)
})

test("'Failed to create feature flag'; enabled toggles optimistically and is reverted with 'Failed to update feature flag'", async () => {
  const key = newKey()
  const restore = await cutCalls(page(), { to: CALLS, method: 'POST' })
  await create(page(), key)
  const dialog = page().getByRole('dialog')
  await dialog.getByRole('alert').getByText('Failed to create feature flag').waitFor()
  await restore()
  await dialog.getByRole('button', { name: 'Create flag' }).click()
  const toggle = page().getByRole('switch', { name: key })
  await toggle.waitFor()

  const end = await delayCalls(page(), { to: CALLS, method: 'PATCH' })
  await toggle.click()
  await waitUntil('the switch is on', () => toggle.isChecked())
  end('cut')
  await toasted(page(), 'Failed to update feature flag')
  await waitUntil('the switch is off again', async () => !(await toggle.isChecked()))
  expect(await flagNow(key)).toMatchObject({ enabled: false })

  await openDeleteDialog(page(), key)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('alert').getByText('Failed to delete feature flag').waitFor()
  expect(await flagNow(key)).toMatchObject({ is_active: true })
})

test('delete is a soft delete: is_active false and enabled false', async () => {
  await page().unrouteAll()
  await page().getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  const key = newKey()
  await create(page(), key)
  await page().getByRole('switch', { name: key }).click()
  await toasted(page(), `${key} is on`)
  const sent = page().waitForRequest((request) => request.method() === 'PATCH')
  await openDeleteDialog(page(), key)
  await page().getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ is_active: false, enabled: false })
  await page().getByRole('switch', { name: key }).waitFor({ state: 'detached' })
})

test("'Error loading feature flags', 'Failed to fetch feature flags', 'Failed to fetch global configurations'", async () => {
  const restore = await cutCalls(page(), { to: '**/api/v1/admin/**' })
  await page().goto(webUrl + paths.admin)
  await page().getByRole('heading', { name: 'Error loading feature flags' }).waitFor()
  await page().getByText('Failed to fetch feature flags').waitFor()
  await page().getByRole('tab', { name: 'Global Configurations' }).click()
  await page().getByRole('heading', { name: 'Failed to fetch global configurations' }).waitFor()
  await restore()
  await page().getByRole('button', { name: 'Try Again' }).click()
  await expectVisible(page().getByRole('navigation', { name: 'Configurations' }))
})
