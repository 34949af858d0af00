import { readFile } from 'node:fs/promises'
import { listTrades } from '@tapeline/testing/api-client'
import type { Page } from '@tapeline/testing/browser'
import { setLimits, setTier } from '@tapeline/testing/set-subscription'
import { expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { expectVisible, pageOfFile } from './page-of-file.ts'

// The path of a developer from the landing page to a file of requests, using only links and buttons of each page.

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const SEEN_WITHIN_MS = 30_000

const page = pageOfFile()
const at = (path: string) => page().waitForURL((url) => url.pathname === path)
let secret = ''

async function signUp(where: Page, email: string): Promise<void> {
  await where.getByLabel('First name').fill('Grace')
  await where.getByLabel('Last name').fill('Hopper')
  await where.getByLabel('Email').fill(email)
  await where.getByLabel('Mobile').fill('+1555123')
  await where.getByLabel('Password', { exact: true }).fill('Nanoseconds-11.8-inches')
  await where.getByLabel('Confirm password').fill('Nanoseconds-11.8-inches')
  await where.getByLabel(/I agree/).check({ position: { x: 2, y: 2 } })
  await where.getByRole('button', { name: 'Create account' }).click()
}

test('visitor → account: signup sends reminder time 9 and method email', async () => {
  await page().goto(webUrl)
  await page().getByRole('link', { name: 'Signup' }).first().click()
  await at(paths.signup)
  await signUp(page(), `${crypto.randomUUID()}@example.com`)
  await at(paths.apiKeys)
  await page().getByRole('button', { name: 'Create Your First API Key' }).waitFor()
  await page().getByRole('link', { name: 'Profile' }).first().click()
  await at(paths.profile)
  expect(await page().getByLabel('Time').inputValue()).toBe('9')
  expect(await page().getByLabel('Method').inputValue()).toBe('email')
})

test('account → key', async () => {
  await page().getByRole('region', { name: 'Quick Actions' }).getByRole('link', { name: 'API Keys' }).click()
  await page().getByRole('button', { name: 'Create Your First API Key' }).click()
  await page().getByLabel('Key Name').fill('first')
  await page().getByRole('dialog').getByRole('button', { name: 'Create API Key' }).click()
  secret = (await page().getByTestId('secret').textContent()) ?? ''
  await page().getByRole('button', { name: 'Copy', exact: true }).click()
  await page().getByRole('button', { name: 'Done' }).click()
  await expectVisible(page().getByRole('article', { name: 'first' }))
})

test('key → request → metrics', async () => {
  await setLimits(platform, await userId(), { requestsPerMinute: 2 })
  const statuses = []
  for (let request = 1; request <= 3; request += 1) statuses.push((await listTrades(gatewayUrl, secret)).status)
  expect(statuses).toEqual([200, 200, 429])
  await page().getByRole('link', { name: 'API Key Audit' }).first().click()
  await at(paths.metrics)
  await page().getByTestId('total').getByText('3', { exact: true }).waitFor({ timeout: SEEN_WITHIN_MS })
})

test('metrics → explain', async () => {
  await page().getByRole('link', { name: 'View requests' }).click()
  await at(paths.requests)
  await page()
    .getByRole('button', { name: /^Explain 429/ })
    .click()
  const why = page().getByRole('complementary', { name: 'The request explained' })
  await expectVisible(why.getByRole('heading', { name: /^Rejected: \d+ of \d+ requests used in the last minute$/ }))
})

test('explain → export: the export is unlocked as soon as the plan includes it', async () => {
  await page().getByText('Upgrade to Basic to export').waitFor()
  await setTier(platform, await userId(), 'basic')
  await page().getByRole('button', { name: 'Export' }).click()
  const downloading = page().waitForEvent('download')
  await page().getByRole('menuitem', { name: /^CSV/ }).click()
  const [names, ...rows] = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\n')
  expect(names).toContain('request_id')
  expect(rows).toHaveLength(3)
  expect(rows.filter((row) => row.includes('429'))).toHaveLength(1)
})

const userId = () => page().evaluate<string>(`JSON.parse(localStorage.getItem('user')).id`)
