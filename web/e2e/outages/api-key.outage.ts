import { createKeyFor } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../../tests/platform/running-platform.ts'
import { paths } from '../../src/paths.ts'
import { expectVisible } from '../page-of-file.ts'
import { UNAVAILABLE, expectVisibleAfter, outageOfFile } from './outage-of-file.ts'

// Messages of the pages while the api-key service is unavailable.

const { webUrl, gatewayUrl } = runningPlatform()
let page: Page

const outage = outageOfFile('api-key', async ({ account, signedInTab }) => {
  await createKeyFor(gatewayUrl, account.jwtToken, 'notebook')
  page = await signedInTab(paths.apiKeys)
  await card().waitFor()
})

const card = () => page.getByRole('article', { name: 'notebook' })
const dialog = (name: string) => page.getByRole('dialog', { name })

test("'Failed to create API key. Please try again.'; the input stays", async () => {
  await page.getByRole('button', { name: 'Create API Key' }).click()
  const create = dialog('Create API Key')
  await create.getByLabel('Key Name').fill('backtest')
  await create.getByRole('button', { name: 'Create API Key' }).click()
  await expectVisible(
    create.getByRole('alert').getByText('Failed to create API key. Please try again.', { exact: true }),
  )
  expect(await create.getByLabel('Key Name').inputValue()).toBe('backtest')
  await create.getByRole('button', { name: 'Cancel' }).click()
})

test("'Failed to delete API key. Please try again.'; the key stays in the list", async () => {
  await page.getByRole('button', { name: 'Actions for notebook' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const confirmation = dialog('Delete notebook')
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await expectVisible(
    confirmation.getByRole('alert').getByText('Failed to delete API key. Please try again.', { exact: true }),
  )
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await expectVisible(card())
})

test('a switch that could not be saved returns to its previous position', async () => {
  const toggle = card().getByRole('switch', { name: 'notebook active' })
  await toggle.click()
  const toast = page.locator('.toast', { hasText: 'Failed to update API key. Please try again.' })
  await expectVisible(toast.getByText(UNAVAILABLE))
  await waitUntil('the switch is on again', () => toggle.isChecked())
})

test('the profile shows everything except the number of keys', async () => {
  const profile = await page.context().newPage()
  await profile.goto(webUrl + paths.profile)
  await expectVisible(profile.getByText('Personal Information'))
  await expectVisible(profile.getByText('Member Since'))
  await profile.close()
})

test('a list that cannot be loaded shows an error; Try Again loads it when the service is available again', async () => {
  await page.reload()
  await expectVisible(page.getByRole('alert').getByText('Your API keys could not be loaded'))
  await outage.end()
  await expectVisibleAfter(page, 'Try Again', card())
})
