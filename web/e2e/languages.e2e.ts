import { createKeyFor, listTrades, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { signInOn } from './browser.fixture.ts'
import { longTexts } from './long-texts.ts'

const { webUrl, gatewayUrl } = runningPlatform()
/** Usually immediate; long enough for a busy machine. */
const SEEN_WITHIN_MS = 30_000
const NARROW = { width: 320, height: 800 }
const PUBLIC = [paths.home, paths.pricing, paths.login, paths.signup, paths.forgotPassword, paths.status, paths.contact]
const DASHBOARD = [
  paths.profile,
  paths.apiKeys,
  paths.metrics,
  paths.requests,
  paths.settings,
  paths.plan,
  paths.auditTrail,
]

let browser: Browser
let person: TestAccount
beforeAll(async () => {
  browser = await openBrowser()
  person = await signUpUser(gatewayUrl)
  const { apiKey } = await createKeyFor(gatewayUrl, person.jwtToken, 'notebook')
  await listTrades(gatewayUrl, apiKey)
})
afterAll(() => browser?.close())

async function newPage(locale: string, viewport = { width: 1280, height: 800 }): Promise<Page> {
  return (await browser.newContext({ locale, viewport, reducedMotion: 'reduce' })).newPage()
}

const languageOf = (page: Page): Promise<string> => page.evaluate<string>('document.documentElement.lang')
/** Language and title, which are set after the texts are drawn. */
const headOf = (page: Page) => page.evaluate<[string, string]>('[document.documentElement.lang, document.title]')

test('the pages use the preferred language of the browser; a choice applies at once and is stored', async () => {
  const page = await newPage('es-MX')
  await page.goto(webUrl + paths.login)
  await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor()
  await page.getByLabel('Idioma').selectOption('fr')
  await page.getByRole('heading', { name: 'Se connecter' }).waitFor()
  await expect.poll(() => headOf(page), { timeout: SEEN_WITHIN_MS }).toEqual(['fr', 'Connexion · Tapeline'])
  await page.reload()
  await page.getByRole('heading', { name: 'Se connecter' }).waitFor()
  await page.context().close()
})

test('the language of the settings applies at once on the whole page, and on every device of the account', async () => {
  const page = await newPage('en-GB')
  const newUser = await signUpUser(gatewayUrl)
  await signInOn(page, newUser, paths.settings)
  await page.getByRole('radiogroup', { name: 'Language' }).getByText('Español', { exact: true }).click()
  await page.getByRole('heading', { name: 'Apariencia' }).waitFor()
  await page.getByRole('link', { name: 'Claves de API', exact: true }).first().waitFor()
  await expect.poll(() => headOf(page), { timeout: SEEN_WITHIN_MS }).toEqual(['es', 'Ajustes · Tapeline'])
  await page.getByText('¡Ajustes guardados!').waitFor()
  const elsewhere = await newPage('en-GB')
  await signInOn(elsewhere, newUser)
  await elsewhere.getByRole('link', { name: 'Claves de API', exact: true }).first().waitFor()
  for (const one of [page, elsewhere]) await one.context().close()
})

test.each(['es', 'fr'])('in %s, at 320 px, no text is longer than its box', async (language) => {
  const english = await newPage('en-GB', NARROW)
  await signInOn(english, person)
  const page = await english.context().newPage()
  await english.close()
  await page.context().addCookies([{ name: 'tapeline-language', value: language, url: webUrl }])
  const found: string[] = []
  for (const path of [...DASHBOARD, ...PUBLIC]) {
    if (path === PUBLIC[0]) await page.evaluate('localStorage.clear()')
    await page.goto(webUrl + path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await waitUntil('the page has loaded', () => page.evaluate<boolean>(`!document.querySelector('.bone, .busy')`))
    expect([path, await languageOf(page)]).toEqual([path, language])
    found.push(...(await longTexts(page)).map((text) => `${path}: ${text}`))
  }
  expect(found).toEqual([])
  await page.context().close()
})
