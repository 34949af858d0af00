import { signUpUser } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
const operator = callOperator(platform)

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
  const admin = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(`${webUrl}${paths.login}?${new URLSearchParams({ next: `${paths.admin}?tab=replay` }).toString()}`)
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('region', { name: 'Proposed tier' }).waitFor()
})
afterAll(async () => {
  await browser?.close()
  await operator.close()
})

test('limits of a replay are filled into the form of the tier without being saved', async () => {
  const propose = page.getByRole('button', { name: 'Propose this change' })
  expect(await propose.getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('Burst, per second, proposed').fill('80')
  await page.getByRole('cell', { name: '−20' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await propose.click()
  await page.getByRole('button', { name: 'Review 1 change' }).waitFor()
  expect(await page.locator('[name="/pro/rateLimits/burstLimit"]').inputValue()).toBe('80')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect
    .poll(() => page.locator('[name="/pro/rateLimits/burstLimit"]').inputValue(), { timeout: 30_000 })
    .toBe('100')
})

test('after a replay, the limits are shown next to the highest use of one account', async () => {
  await page.goto(`${webUrl}${paths.admin}?tab=replay`)
  const limits = page.getByRole('region', { name: 'Limits', exact: true })
  await limits.getByRole('columnheader').first().waitFor()
  expect(await limits.getByRole('columnheader').allInnerTexts()).toEqual(['Limit', 'Today', 'Proposed', 'Change'])
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  await limits.getByRole('columnheader', { name: 'Highest use' }).waitFor({ timeout: 60_000 })
  const [burst] = await limits.getByRole('row').filter({ hasText: 'Burst, per second' }).allInnerTexts()
  expect(burst?.split('\t')).toEqual([expect.anything(), '100', '', expect.stringMatching(/^[\d,]+$/), 'same'])
  await page.getByLabel('Tier', { exact: true }).selectOption('free')
  await limits.getByRole('columnheader', { name: 'Highest use' }).waitFor({ state: 'detached' })
})
