import { send } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../../tests/platform/running-platform.ts'
import { fillInSignIn } from '../browser.fixture.ts'
import { paths } from '../../src/paths.ts'
import { expectVisible } from '../page-of-file.ts'
import { UNAVAILABLE, expectVisibleAfter, outageOfFile, type Ready } from './outage-of-file.ts'

// Messages of the pages while the config service is unavailable.

const { webUrl, gatewayUrl } = runningPlatform()
const NAME = `outage_${crypto.randomUUID().replaceAll('-', '_')}`
const CONFIG = `e2e.${NAME}`

let ready: Ready
let visitorTab: Page
let settingsTab: Page
let flagsTab: Page
let configsTab: Page

const outage = outageOfFile('config', async (prepared) => {
  ready = prepared
  const { jwtToken: token } = ready.account
  const admin = `${gatewayUrl}/api/v1/admin`
  const flag = { flag_key: NAME, role: 'user', enabled: false }
  expect((await send(`${admin}/feature-flags`, { token, body: flag })).status).toBe(201)
  const updates = [{ key: CONFIG, value: { a: 1 } }]
  expect((await send(`${admin}/global-configs`, { method: 'PUT', token, body: { updates } })).status).toBe(200)
  visitorTab = await ready.newTab()
  settingsTab = await ready.signedInTab(paths.settings)
  await settingsTab.getByRole('heading', { name: 'Appearance' }).waitFor()
  flagsTab = await ready.signedInTab(paths.admin)
  await flip().waitFor()
  configsTab = await ready.signedInTab(
    `${paths.admin}?${new URLSearchParams({ tab: 'configs', key: CONFIG }).toString()}`,
  )
  await configsTab.getByRole('button', { name: 'Edit', exact: true }).click()
})

const flip = () => flagsTab.getByRole('switch', { name: NAME })
const dialog = () => flagsTab.getByRole('dialog')
const editor = () => configsTab.getByRole('textbox', { name: `JSON of ${CONFIG}` })

test("'Failed to load pricing information. Please try again later.' with Try Again", async () => {
  await visitorTab.goto(webUrl + paths.pricing)
  const alert = visitorTab.getByRole('alert')
  await expectVisible(alert.getByText('Failed to load pricing information. Please try again later.', { exact: true }))
  await expectVisible(alert.getByRole('button', { name: 'Try Again' }))
})

test("'Failed to save settings'; the page keeps the unsaved change", async () => {
  await settingsTab.getByLabel('Compact mode').check()
  const message = settingsTab.locator('p', { hasText: 'Failed to save settings' }).filter({ hasText: UNAVAILABLE })
  await expectVisibleAfter(settingsTab, 'Save Changes', message)
  expect(await settingsTab.getByLabel('Compact mode').isChecked()).toBe(true)
})

test("'Failed to update feature flag'; the switch returns to its previous position", async () => {
  await flip().click()
  await expectVisible(flagsTab.locator('.toast', { hasText: 'Failed to update feature flag' }).getByText(UNAVAILABLE))
  await waitUntil('the switch is off again', async () => !(await flip().isChecked()))
})

test("'Failed to create feature flag'; the input stays", async () => {
  await flagsTab.getByRole('button', { name: 'Create flag' }).click()
  await dialog().getByLabel('Flag key').fill('one_more')
  await dialog().getByRole('button', { name: 'Create flag' }).click()
  await expectVisible(dialog().getByText('Failed to create feature flag', { exact: true }))
  expect(await dialog().getByLabel('Flag key').inputValue()).toBe('one_more')
  await dialog().getByRole('button', { name: 'Cancel' }).click()
})

test("'Failed to delete feature flag'; the flag stays in the list", async () => {
  await flagsTab.getByRole('button', { name: `Actions for ${NAME}` }).click()
  await flagsTab.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await expectVisible(dialog().getByText('Failed to delete feature flag', { exact: true }))
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await expectVisible(flip())
})

test("'Failed to update configuration'; the input stays", async () => {
  await editor().fill('{ "a": 2 }')
  await configsTab.getByRole('button', { name: 'Save', exact: true }).click()
  await expectVisible(configsTab.getByRole('alert').getByText(`Failed to update configuration. ${UNAVAILABLE}`))
  expect(await editor().inputValue()).toBe('{ "a": 2 }')
})

test("'Error loading feature flags', 'Failed to fetch feature flags'", async () => {
  await flagsTab.reload()
  const alert = flagsTab.getByRole('alert').filter({ hasText: 'Error loading feature flags' })
  await expectVisible(alert.getByText(`Failed to fetch feature flags. ${UNAVAILABLE}`))
})

test("'Failed to fetch global configurations'", async () => {
  const tab = await ready.signedInTab(`${paths.admin}?tab=configs`)
  await expectVisible(tab.getByRole('alert').getByText('Failed to fetch global configurations', { exact: true }))
  await tab.close()
})

test("'Failed to load settings': the defaults apply", async () => {
  const tab = await ready.signedInTab(paths.settings)
  const alert = tab.getByRole('alert').filter({ hasText: 'Failed to load settings' })
  await expectVisible(alert.getByText('The defaults apply until they are loaded.'))
  await tab.close()
})

test('a sign-in succeeds, with the role and without flags', async () => {
  const tab = await ready.newTab()
  await tab.goto(webUrl + paths.login)
  await fillInSignIn(tab, ready.account)
  await expectVisible(tab.getByRole('region', { name: 'Personal Information' }).getByText(ready.account.email))
  await expectVisible(tab.getByRole('link', { name: 'Admin Controls' }).first())
  await tab.getByRole('button', { name: 'Account: Ada' }).click()
  await tab.getByRole('menuitem', { name: 'Sign Out' }).click()
  // Pages opened later in this browser are those of a visitor.
  await tab.waitForURL(`${webUrl}/`)
})

test('when the service is available again, repeating the actions saves and loads everything', async () => {
  await outage.end()
  await expectVisibleAfter(settingsTab, 'Save Changes', settingsTab.getByText('Settings saved successfully!'))
  await expectVisibleAfter(configsTab, 'Save', configsTab.locator('.toasts b', { hasText: '1 updated, 0 failed' }))
  await expectVisibleAfter(flagsTab, 'Try Again', flip())
  const pricing = await ready.newTab()
  await pricing.goto(webUrl + paths.pricing)
  await expectVisibleAfter(pricing, 'Try Again', pricing.locator('[data-head="pro"]').getByText('$99'))
})
