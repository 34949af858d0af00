import { send, signUpUser } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { callOperator } from '@tapeline/testing/operator'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { expectVisible } from './page-of-file.ts'

const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform
/** Visitor pages redirect signed-in users to the dashboard; the others stay accessible. */
const FOR_VISITORS = [paths.home, paths.about, paths.pricing]
const FOR_ALL = [
  paths.status,
  paths.blog,
  paths.blogGateway,
  paths.blogLimits,
  paths.careers,
  paths.contact,
  paths.community,
  paths.support,
  paths.privacy,
  paths.terms,
  paths.cookies,
  paths.gdpr,
]

let browser: Browser
const problems: string[] = []

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

type PageOptions = { javaScriptEnabled?: boolean; locale?: string }

async function openPage(path: string, options: PageOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(`${path}: ${error.message}`))
  // Violations of the content security policy are reported here too.
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${path}: ${message.text()}`)
  })
  await page.goto(webUrl + path)
  return page
}

test('every public page runs under its content security policy, with Trusted Types, without a violation', async () => {
  for (const path of [...FOR_VISITORS, ...FOR_ALL]) {
    const page = await openPage(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
    await page.context().close()
  }
  expect(problems).toEqual([])
})

test('with JavaScript off the pages can be read, in the language that the browser prefers', async () => {
  const page = await openPage(paths.home, { javaScriptEnabled: false, locale: 'es-MX' })
  expect(await page.locator('html').getAttribute('lang')).toBe('es')
  expect(await page.locator('h1').isVisible()).toBe(true)
  expect(await page.locator(`a[href="${paths.signup}"]`).first().isVisible()).toBe(true)
  expect(await page.locator('#try-command').textContent()).toContain('/api/v1/sample/BTC-USDT')
  await page.getByRole('link', { name: 'Français' }).click()
  await page.locator('html[lang="fr"]').waitFor()
  await page.goto(webUrl + paths.pricing)
  expect(await page.locator('html').getAttribute('lang')).toBe('fr')
  expect(await page.locator('[data-row="requestsPerMonth"][data-tier="pro"]').isVisible()).toBe(true)
  await page.context().close()
})

test('the tape shows real trades, and the figure is the duration of their request', async () => {
  const page = await openPage(paths.home)
  const answers: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/sample/ETH-USDT')) answers.push(await response.text())
  })
  await page.getByRole('tab', { name: 'ETH-USDT' }).click()
  await page.getByRole('columnheader', { name: 'Size, ETH' }).waitFor()
  const newest = async () => Number(await page.locator('.feed tbody tr').first().locator('td').last().textContent())
  const answered = await waitUntil('the answer', () => /"sequence":"(\d+)"/.exec(answers[0] ?? '')?.[1])
  const shown = await waitUntil('the answer is shown', async () => {
    const sequence = await newest()
    return sequence >= Number(answered) ? sequence : undefined
  })
  await waitUntil('later trades come over the stream', async () => (await newest()) > shown + 1)
  expect(answers, 'the call is not repeated').toHaveLength(1)
  await page.getByText(/^This browser: [\d.,]+ ms( median)?, \d+ live calls?\.$/).waitFor()
  expect(Number(await page.locator('[data-part="ms"]').textContent())).toBeGreaterThan(0)
  await page.context().close()
})

test("a plan's price of 0 reads 'Custom', the first five features are named, and the rest is a number", async () => {
  const page = await openPage(paths.pricing)
  const free = page.locator('[data-head="free"]')
  await free.getByText('Custom').waitFor()
  await free.getByText('+1 more features').waitFor()
  expect(await free.locator('.feat li:not(.more)').count()).toBe(5)
  await page.locator('.pricing[data-state="ready"]').waitFor()
  const slider = page.getByLabel('Requests a minute, at peak')
  await slider.focus()
  await page.keyboard.press('End')
  await page.getByText('No plan fits.').waitFor()
  await page.keyboard.press('Home')
  await slider.and(page.locator('[aria-valuetext="1 request a minute"]')).waitFor()
  await page.context().close()
})

test('the yearly toggle is shown only with its flag, works by keyboard, and shows the discount of the data', async () => {
  const page = await openPage(paths.pricing)
  await page.getByRole('radio', { name: 'Monthly' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.locator('[data-head="basic"]').getByText('(17% discount)').waitFor()
  await page.locator('[data-head="pro"] [data-part="price"]').getByText('$990', { exact: true }).waitFor()
  const switchFlag = await flagSwitch()
  await switchFlag(false)
  try {
    await page.reload()
    await page.locator('[data-head="basic"]').getByText('$29').waitFor()
    await page.locator('.pricing[data-state="ready"]').waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
  } finally {
    await switchFlag(true)
  }
  await page.context().close()
})

/** Changes the toggle's flag as an admin. */
async function flagSwitch(): Promise<(enabled: boolean) => Promise<void>> {
  const admin = await signUpUser(gatewayUrl)
  const operator = callOperator(platform)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  await operator.close()
  const flags = `${gatewayUrl}/api/v1/admin/feature-flags`
  const headers = { authorization: `Bearer ${admin.jwtToken}`, 'content-type': 'application/json' }
  return async (enabled) => {
    const { body: listed } = await send<{ data: { id: string; flag_key: string }[] }>(flags, { headers })
    const flag = listed.data.find(({ flag_key }) => flag_key === 'pricing_yearly_billing_toggle')
    const body = JSON.stringify({ flagId: flag?.id, enabled, is_active: true })
    expect((await fetch(flags, { method: 'PATCH', headers, body })).status).toBe(200)
  }
}

test('signed-in users are redirected from visitor pages to the dashboard; the other pages stay accessible', async () => {
  const account = await signUpUser(gatewayUrl)
  const page = await openPage(paths.login)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.waitForURL(webUrl + paths.profile)
  for (const path of FOR_VISITORS) {
    await page.goto(webUrl + path, { waitUntil: 'commit' })
    await page.waitForURL(webUrl + paths.profile)
  }
  await page.goto(webUrl + paths.status)
  await page.getByRole('link', { name: 'Dashboard' }).waitFor()
  expect(await page.getByRole('link', { name: 'Login' }).count()).toBe(0)
  await page.context().close()
})

test('unknown paths redirect to the landing page, also below the dashboard', async () => {
  const page = await openPage('/nowhere')
  await page.waitForURL(`${webUrl}/`)
  await page.goto(`${webUrl}/dashboard/nowhere`)
  await page.waitForURL(`${webUrl}/`)
  await expectVisible(page.getByRole('heading', { level: 1 }))
  await page.context().close()
})

test('a message to the operator is validated, sent and confirmed', async () => {
  const page = await openPage(paths.contact)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('This field is required.').first().waitFor()
  await page.getByLabel('Name').and(page.locator(':focus')).waitFor()
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Message').fill('What does the pro plan cost?')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Your message is on its way. Thank you.').waitFor()
  await waitUntil('the form is empty again', async () => (await page.getByLabel('Message').inputValue()) === '')
  await page.context().close()
})

test('the status page shows the measurements as bars and as a table', async () => {
  const page = await openPage(paths.status)
  await page.getByText(/^As of \d\d:\d\d:\d\d UTC\.$/).waitFor()
  await page.getByRole('img', { name: /^Gateway: \d+ of 90 days measured, \d+ with failures\.$/ }).waitFor()
  await page.getByText('As a table').click()
  await expectVisible(page.getByRole('columnheader', { name: 'Market data' }))
  await page.context().close()
})
