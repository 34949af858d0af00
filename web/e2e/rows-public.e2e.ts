import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { delayCalls } from './calls-of-page.ts'
import { expectVisible } from './page-of-file.ts'

// Specification §2, public layout: page by page, a test for each sentence.

const { webUrl, gatewayUrl } = runningPlatform()
const PRICING = `${gatewayUrl}/api/v1/internal/subscription/pricing`
const LINKED = [
  paths.about,
  paths.docs,
  paths.sdk,
  paths.status,
  paths.blog,
  paths.careers,
  paths.contact,
  paths.help,
  paths.api,
  paths.community,
  paths.support,
  paths.privacy,
  paths.terms,
  paths.cookies,
  paths.gdpr,
]

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
  page = await (await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })).newPage()
})
afterAll(() => browser?.close())

const main = () => page.getByRole('main')
const linkTo = (path: string) => main().locator(`a[href="${path}"]`).first()
const texts = (selector: string) => main().locator(selector).allTextContents()

function hasPublicLayout(): void {
  test('top bar: Home, API Docs (opens /api-docs in a new tab), About Us, Pricing, Login, Signup; plus a footer', async () => {
    const bar = page.getByRole('banner')
    await bar.getByRole('link', { name: 'Signup' }).waitFor()
    const notice = await bar
      .locator('a:visible')
      .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')]))
    expect(notice.filter(([name]) => name !== 'Tapeline')).toEqual([
      ['Home', '/'],
      ['API Docs', '/api-docs'],
      ['About Us', '/about'],
      ['Pricing', '/pricing'],
      ['Login', '/login'],
      ['Signup', '/signup'],
    ])
    expect(await bar.locator('a[href="/api-docs"]:visible').getAttribute('target')).toBe('_blank')
    const footer = page.getByRole('contentinfo').locator('a')
    const linked = await footer.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(linked).toEqual(expect.arrayContaining(LINKED))
  })
}

test('other links in footers and navigation answer: /about, /docs, /sdk … /gdpr', async () => {
  const answers = await Promise.all(LINKED.map((path) => fetch(webUrl + path, { redirect: 'manual' })))
  expect(answers.map(({ status }) => status)).toEqual(LINKED.map(() => 200))
})

describe('/', () => {
  beforeAll(() => page.goto(webUrl + paths.home))
  hasPublicLayout()

  test('hero, call to action to /signup, link to /login, link to /docs', async () => {
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
    for (const path of [paths.signup, paths.login, paths.docs]) expect(await linkTo(path).isVisible(), path).toBe(true)
    await main().getByText('No credit card required.').first().waitFor()
    await main().getByText('Cancel anytime.').waitFor()
  })

  test('statistics', async () => {
    const claims = ['Under 100 ms response', '99.9% uptime', '1B+ data points', '100K+ requests per second']
    expect(await texts('.figs dt')).toEqual(claims)
  })

  test('feature cards', async () => {
    expect((await texts('.claims h3')).length).toBeGreaterThanOrEqual(4)
  })

  test('use cases: algorithmic trading, portfolio management, risk management, research', async () => {
    const cases = ['Algorithmic trading', 'Portfolio management', 'Risk management', 'Research']
    expect(await texts('article.case h3')).toEqual(cases)
  })

  test('an API sample', async () => {
    expect(await page.locator('#try-command').textContent()).toContain(
      `${new URL(gatewayUrl).host}/api/v1/sample/BTC-USDT`,
    )
    await page
      .getByRole('region', { name: 'First trade of the response' })
      .filter({ hasText: /"price": "\d/ })
      .waitFor()
  })
})

describe('/about', () => {
  beforeAll(() => page.goto(webUrl + paths.about))
  hasPublicLayout()

  test('story, mission, values, team, and a Get Started link to /signup', async () => {
    expect(await texts('h2')).toEqual(['Story', 'Mission', 'Values', 'Team'])
    expect(await main().getByRole('link', { name: 'Get Started' }).getAttribute('href')).toBe(paths.signup)
  })
})

describe('/pricing', () => {
  let end: Awaited<ReturnType<typeof delayCalls>>
  beforeAll(async () => {
    end = await delayCalls(page, { to: PRICING })
    await page.goto(webUrl + paths.pricing)
  })
  afterAll(() => page.unroute(PRICING))
  hasPublicLayout()

  test('pricing: loading', async () => {
    await page.getByRole('status').getByText('Loading plans').waitFor()
    expect(await page.locator('[data-head="pro"] [data-part="price"]').isVisible()).toBe(false)
  })

  test('pricing: error with Try Again', async () => {
    end('cut')
    const alert = page.getByRole('alert')
    await expectVisible(alert.getByText('Failed to load pricing information. Please try again later.'))
    await page.unroute(PRICING)
    await alert.getByRole('button', { name: 'Try Again' }).click()
    await alert.waitFor({ state: 'hidden' })
  })

  test('pricing: loaded, with three tier cards (free, basic, pro)', async () => {
    await page.locator('[data-head="pro"]').getByText('$99').waitFor()
    expect(await texts('[data-head] [data-part="name"]')).toEqual(['Free', 'Basic', 'Pro'])
    expect(await texts('[data-head] [data-part="price"]')).toEqual(['Custom', '$29', '$99'])
  })

  test('billing period monthly or yearly', async () => {
    const period = page.getByRole('radiogroup', { name: 'Billing period' })
    expect(await period.getByRole('radio', { name: 'Monthly' }).isChecked()).toBe(true)
    const pro = page.locator('[data-head="pro"] [data-part="price"]')
    await period.getByText('Yearly', { exact: true }).click()
    await pro.getByText('$990', { exact: true }).waitFor()
    expect(await texts('[data-head] [data-part="price"]')).toEqual(['Custom', '$290', '$990'])
    await period.getByText('Monthly', { exact: true }).click()
    await pro.getByText('$99', { exact: true }).waitFor()
    expect(await texts('[data-head] [data-part="price"]')).toEqual(['Custom', '$29', '$99'])
  })
})

describe.each([paths.login, paths.signup, paths.forgotPassword, paths.resetPassword])('%s', (path) => {
  beforeAll(() => page.goto(webUrl + path))
  hasPublicLayout()

  test('its form or message is inside the layout', async () => {
    await expectVisible(main().getByRole('heading', { level: 1 }))
  })
})

describe('a phone', () => {
  test('the top bar folds into a menu, which Escape closes', async () => {
    await page.setViewportSize({ width: 360, height: 800 })
    for (const path of [paths.home, paths.login]) {
      await page.goto(webUrl + path)
      const menu = page.getByRole('navigation', { name: 'Menu' })
      await page.getByLabel('Menu', { exact: true }).first().click()
      await menu.getByRole('link', { name: 'Signup' }).waitFor()
      const names = await menu.getByRole('link').allTextContents()
      expect(names).toEqual(['Home', 'API Docs', 'About Us', 'Pricing', 'Login', 'Signup'])
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'hidden' })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })
})

describe('error screen', () => {
  const part = /\/assets\/SignupPage-.*\.js$/
  beforeAll(async () => {
    await page.route(part, (route) => route.fulfill({ status: 404 }))
    await page.goto(webUrl + paths.signup)
  })

  test("it reads 'Something went wrong' with 'Try Again' and 'Go to Homepage' (to /)", async () => {
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
    expect(await page.getByRole('link', { name: 'Go to Homepage' }).getAttribute('href')).toBe('/')
  })

  test("'Try Again' shows the page once it can be rendered", async () => {
    await page.unroute(part)
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expectVisible(page.getByRole('heading', { name: 'Create your account' }))
  })
})
