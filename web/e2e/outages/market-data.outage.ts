import { send } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../../tests/platform/running-platform.ts'
import { paths } from '../../src/paths.ts'
import { expectVisible } from '../page-of-file.ts'
import { expectVisibleAfter, outageOfFile } from './outage-of-file.ts'

// Messages of the pages while the market-data service is unavailable.

const { webUrl, gatewayUrl } = runningPlatform()
let home: Page
let keys: Page

const outage = outageOfFile('market-data', async ({ newTab, signedInTab }) => {
  await waitUntil('there is a sample', async () => (await send(`${gatewayUrl}/api/v1/sample`)).status === 200)
  home = await newTab()
  await home.goto(webUrl + paths.home)
  await live().waitFor()
  keys = await signedInTab(paths.apiKeys)
})

const live = () => home.getByText('Live', { exact: true })

test('the tape shows that it is paused and keeps its trades', async () => {
  await expectVisible(home.getByText('Paused', { exact: true }))
  expect(await home.locator('[data-part="trades"] tbody tr').count()).toBeGreaterThan(0)
})

test('a new key can be created, and its test request shows the answer', async () => {
  await keys.getByRole('button', { name: 'Create Your First API Key' }).click()
  const create = keys.getByRole('dialog', { name: 'Create API Key' })
  await create.getByLabel('Key Name').fill('notebook')
  await create.getByRole('button', { name: 'Create API Key' }).click()
  const once = keys.getByRole('dialog', { name: 'API Key Created' })
  await once.getByRole('button', { name: 'Send a request' }).click()
  await expectVisible(once.getByText(/^50[23]$/))
})

test('after recovery the same key works and the tape resumes automatically', async () => {
  await outage.end()
  await expectVisibleAfter(keys, 'Send a request', keys.getByText('200', { exact: true }))
  await expectVisible(live())
})
