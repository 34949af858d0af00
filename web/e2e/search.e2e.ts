import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { expectVisible } from './page-of-file.ts'

const { webUrl, gatewayUrl } = runningPlatform()

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
  const { email, password, jwtToken } = await signUpUser(gatewayUrl)
  await createKeyFor(gatewayUrl, jwtToken, 'order-router')
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(webUrl + paths.login)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(webUrl + paths.profile)
  await page.getByRole('button', { name: 'Search or jump to' }).waitFor()
})
afterAll(() => browser?.close())

const title = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

test('Ctrl+K finds pages, actions and keys by keyboard alone, counts them, and lists recently used ones first', async () => {
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search or jump to' })
  await field.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('order-rou')
  const key = page.getByRole('group', { name: 'Keys' }).getByRole('option', { name: /order-router/ })
  await key.waitFor()
  await page.getByRole('status').getByText('1 result', { exact: true }).waitFor()
  const isActive = async () => (await field.getAttribute('aria-activedescendant')) === (await key.getAttribute('id'))
  await waitUntil('the key is the active option', isActive)
  expect(await findBarriers(page)).toEqual([])

  await field.fill('pagination')
  await page.getByRole('group', { name: 'Documentation' }).getByRole('option').first().waitFor()
  await field.fill('zzz')
  await page.getByText('No results.').waitFor()
  await field.fill('plan')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(webUrl + paths.plan)
  await title('Plan')

  await page.keyboard.press('Control+k')
  await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Plan' }).waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
})

test('an arrow key pressed before the list is updated applies to the new results', async () => {
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search or jump to' })
  await field.fill('zzz')
  await page.getByText('No results.').waitFor()
  // The letters and the arrow key arrive in one task, before the list can be rendered again.
  await page.evaluate(`(() => {
    const input = document.activeElement
    input.setSelectionRange(0, input.value.length)
    document.execCommand('insertText', false, 'pla')
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))
  })()`)
  await page.getByRole('option', { name: /^Plan/ }).waitFor()
  await expectVisible(page.getByRole('option').nth(1).and(page.locator('[aria-selected="true"]')))
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
})

test('a click on the search box opens it, and admin pages are not offered to users', async () => {
  await page.getByRole('button', { name: 'Search or jump to' }).click()
  await page.getByRole('combobox').fill('admin controls')
  await expectVisible(page.getByText('No results.'))
  await page.getByRole('combobox').fill('settings')
  await page
    .getByRole('group', { name: 'Pages' })
    .getByRole('option', { name: /^Settings/ })
    .click()
  await title('Settings')
  await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor({ state: 'detached' })
})

test('g k opens the API keys, ? lists the shortcuts, and single-key shortcuts can be turned off', async () => {
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await page.waitForURL(webUrl + paths.apiKeys)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard Shortcuts' })
  await sheet.getByText('Create API Key').waitFor()
  expect(await sheet.getByText('Users', { exact: true }).count()).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  const isOn = sheet.getByRole('switch', { name: /^Single-key shortcuts/ })
  await isOn.uncheck()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })

  await page.keyboard.press('?')
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('shortcuts')
  await page
    .getByRole('option', { name: /shortcuts/i })
    .first()
    .waitFor()
  expect(page.url()).toBe(webUrl + paths.apiKeys)
  await page.keyboard.press('Enter')
  await isOn.check()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await title('Settings')
})
