import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { browserOfFile, signInOn } from './browser.fixture.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const FLAGS = `${gatewayUrl}/api/v1/admin/feature-flags`
const CONFIGS = `${gatewayUrl}/api/v1/admin/global-configs`
const operator = callOperator(platform)

type Role = 'user' | 'tester' | 'admin'
type Flag = { id: string; flag_key: string; enabled: boolean; is_active: boolean; rollout_percent: number }

const browser = browserOfFile()
let page: Page
const people: Partial<Record<Role, TestAccount>> = {}
beforeAll(async () => {
  for (const role of ['user', 'tester', 'admin'] as const) {
    const newUser = await signUpUser(gatewayUrl)
    if (role !== 'user') await operator.ofUsers('set-role', newUser.user.id, role)
    people[role] = newUser
  }
})
afterAll(() => operator.close())
beforeEach(async () => {
  page = await browser.newPage()
})

function personOf(role: Role): TestAccount {
  const person = people[role]
  if (person === undefined) throw new Error(`no account has the role ${role}`)
  return person
}

const openAdmin = (role: Role, search = '') => signInOn(page, personOf(role), paths.admin + search)

const newKey = () => `e2e_${crypto.randomUUID().replaceAll('-', '_')}`

async function createFlag(role: Role, enabled = false): Promise<string> {
  const body = { flag_key: newKey(), role, enabled }
  expect((await send(FLAGS, { token: personOf('admin').jwtToken, body })).status).toBe(201)
  return body.flag_key
}

async function flagNow(key: string): Promise<Flag | undefined> {
  const { body } = await send<{ data: Flag[] }>(FLAGS, { token: personOf('admin').jwtToken })
  return body.data.find(({ flag_key }) => flag_key === key)
}

const toasted = (text: string) => page.locator('.toasts b', { hasText: text }).waitFor()

async function choose(key: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${key}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('a user has no entry and sees: You need admin or tester privileges to access this section', async () => {
  await openAdmin('user')
  await page.getByText('Access Restricted: You need admin or tester privileges to access this section.').waitFor()
  expect(await page.getByRole('link', { name: 'Admin Controls' }).count()).toBe(0)
})

test('the user and tester groups start expanded; a tester changes no flag of the admin role and no configuration', async () => {
  const key = await createFlag('admin')
  await openAdmin('tester')
  await page.getByRole('region', { name: 'user flags' }).waitFor()
  const expanded = (role: Role) =>
    page
      .getByRole('region', { name: `${role} flags` })
      .locator('.flag-head')
      .getAttribute('aria-expanded')
  expect([await expanded('user'), await expanded('tester'), await expanded('admin')]).toEqual(['true', 'true', 'false'])
  await page.getByRole('region', { name: 'admin flags' }).locator('.flag-head').click()
  await page.getByText('Only admins change flags of the admin role.').waitFor()
  expect(await page.getByRole('switch', { name: key }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Create flag' }).click()
  const roles = page.getByRole('dialog').getByLabel('Role').locator('option')
  await roles.first().waitFor({ state: 'attached' })
  expect(await roles.allTextContents()).toEqual(['user', 'tester'])
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('tab', { name: 'Global Configurations' }).click()
  await page.getByText('Global configurations can only be managed by administrators.').waitFor()
})

test('a flag is created, toggled, limited to a role, deleted and restored by Undo', async () => {
  const key = newKey()
  await openAdmin('admin')
  await page.getByRole('button', { name: 'Create flag' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create flag' }).click()
  await dialog.getByText('Give the flag a key').waitFor()
  await dialog.getByLabel('Flag key').fill(key)
  await dialog.getByText(/Applies to \d+ of \d+ accounts/).waitFor()
  await dialog.getByRole('button', { name: 'Create flag' }).click()
  await toasted(`${key} is created`)

  await page.getByRole('switch', { name: key }).click()
  await toasted(`${key} is on`)
  expect(await flagNow(key)).toMatchObject({ enabled: true })

  await choose(key, 'Edit')
  await dialog.getByLabel('Share of accounts in percent').fill('25')
  await dialog.getByLabel('Why').fill('carefully')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await toasted(`${key} is saved`)
  expect(await flagNow(key)).toMatchObject({ enabled: true, rollout_percent: 25 })

  await choose(key, 'Delete')
  await dialog.getByText('Are you sure you want to delete this feature flag?').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  const history = page.getByRole('complementary', { name: key })
  await history.getByText('Removed').waitFor()
  await history.getByText('carefully').waitFor()
  await page.getByRole('switch', { name: key }).waitFor({ state: 'detached' })
  await history.getByRole('button', { name: 'Undo' }).click()
  await history.getByText('Restored').waitFor()
  await page.getByRole('switch', { name: key }).waitFor()
  expect(await flagNow(key)).toMatchObject({ enabled: true, is_active: true })
})

test("a conflict shows the other admin's change, which can be overwritten deliberately", async () => {
  const key = await createFlag('user')
  await openAdmin('admin')
  await choose(key, 'Edit')
  const flagId = (await flagNow(key))?.id
  const token = personOf('tester').jwtToken
  expect((await send(FLAGS, { method: 'PATCH', token, body: { flagId, rollout_percent: 5 } })).status).toBe(200)
  const dialog = page.getByRole('dialog').first()
  await dialog.getByLabel('Description').fill('mine')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const notice = page.getByRole('dialog', { name: `${key} was changed in the meantime` })
  await notice.getByText('/rollout_percent 100 → 5').waitFor()
  // Changed again while the dialog is open: this version was not displayed yet, so it is shown before anything is saved.
  expect((await send(FLAGS, { method: 'PATCH', token, body: { flagId, rollout_percent: 7 } })).status).toBe(200)
  await notice.getByRole('button', { name: 'Overwrite with mine' }).click()
  await notice.getByText('/rollout_percent 100 → 7').waitFor()
  expect(await flagNow(key)).toMatchObject({ description: null, rollout_percent: 7 })
  await notice.getByRole('button', { name: 'Overwrite with mine' }).click()
  await toasted(`${key} is saved`)
  expect(await flagNow(key)).toMatchObject({ description: 'mine', rollout_percent: 7 })
})

test('a configuration stored by another user is shown before it is overwritten, and other drafts stay', async () => {
  const token = personOf('admin').jwtToken
  const [key, other] = [`e2e.${newKey()}`, `e2e.${newKey()}`]
  const store = (name: string, value: unknown) =>
    send(CONFIGS, { method: 'PUT', token, body: { updates: [{ key: name, value }] } })
  for (const name of [key, other]) expect((await store(name, { a: 1 })).status).toBe(200)
  await openAdmin('admin', `?${new URLSearchParams({ tab: 'configs', key: other }).toString()}`)
  const edit = async (name: string, text: string) => {
    await page.getByRole('button', { name: new RegExp(name) }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: `JSON of ${name}` }).fill(text)
  }
  await edit(other, '{ "a": ')
  await edit(key, '{ "a": 2 }')
  expect((await store(key, { a: 5 })).status).toBe(200)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const notice = page.getByRole('dialog', { name: `${key} was changed in the meantime` })
  await notice.getByText('/a 1 → 5').waitFor()
  expect((await store(key, { a: 6 })).status).toBe(200)
  await notice.getByRole('button', { name: 'Overwrite with mine' }).click()
  await notice.getByText('/a 1 → 6').waitFor()
  await notice.getByRole('button', { name: 'Overwrite with mine' }).click()
  await toasted('1 updated, 0 failed')
  const { body } = await send<{ data: Record<string, { value: unknown }> }>(CONFIGS, { token })
  expect(body.data[key]?.value).toEqual({ a: 2 })
  await page.getByRole('button', { name: new RegExp(other) }).click()
  const draft = page.getByRole('textbox', { name: `JSON of ${other}` })
  expect(await draft.inputValue()).toBe('{ "a": ')
  // Switching to the other tab of the page would discard the draft.
  await page.getByRole('tab', { name: 'Feature Flags' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay here' }).click()
  expect(await draft.inputValue()).toBe('{ "a": ')
})

test('a configuration is validated while typing, saved, rejected with its reason, and restored', async () => {
  const token = personOf('admin').jwtToken
  const key = `e2e.${newKey()}`
  const stored = await send(CONFIGS, { method: 'PUT', token, body: { updates: [{ key, value: { a: 1 } }] } })
  expect(stored.status, JSON.stringify(stored.body)).toBe(200)
  await openAdmin('admin', `?${new URLSearchParams({ tab: 'configs', key }).toString()}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const editor = page.getByRole('textbox', { name: `JSON of ${key}` })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await editor.fill('')
  await page.getByText('JSON string cannot be empty').waitFor()
  await editor.fill('{\n  "a": 1\n  "b": 2\n}')
  await page.getByText(/Expected ',' or '}'.*line 3/).waitFor()
  expect(await save.getAttribute('aria-disabled')).toBe('true')
  await editor.fill('{ "a": 2 }')
  await page.getByText('/a 1 → 2').waitFor()
  await save.click()
  await toasted('1 updated, 0 failed')
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await toasted(`${key} was restored to its previous value`)
  const { body } = await send<{ data: Record<string, { value: unknown }> }>(CONFIGS, { token })
  expect(body.data[key]?.value).toEqual({ a: 1 })

  await page.getByRole('button', { name: /system_config\.sign_up/ }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'JSON of system_config.sign_up' }).fill('{ "open": "yes" }')
  await save.click()
  await page.getByText(/^Update failed: \/open/).waitFor()
})

test('a click on the row of a flag opens its history and changes nothing', async () => {
  const key = await createFlag('user')
  await openAdmin('admin')
  const row = page.getByRole('row').filter({ hasText: key })
  await row.getByText('No description').click()
  await page.getByRole('complementary').getByText(key).first().waitFor()
  expect((await flagNow(key))?.enabled).toBe(false)
})
