import { createKeyFor, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { findBarriers } from '@tapeline/testing/pages/find-barriers'
import type { Problem } from '@tapeline/contracts/problem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { edgesOfBoth } from './edges-of.ts'
import { referenceGroups, referencePath } from '../src/public/reference/reference-path.ts'

const { webUrl, gatewayUrl } = runningPlatform()
const TEXTS = [
  paths.docs,
  paths.docsAuthentication,
  paths.docsLimits,
  paths.docsErrors,
  paths.docsPagination,
  paths.docsMarketData,
  paths.docsStreaming,
  paths.docsSelfHosting,
  paths.sdk,
  paths.api,
  paths.help,
]

let browser: Browser
let account: TestAccount
let key: { apiKey: string; key: { prefix: string } }

beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpUser(gatewayUrl)
  key = await createKeyFor(gatewayUrl, account.jwtToken, 'order-router')
})
afterAll(() => browser?.close())

async function openPage(path: string, width = 1280): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(webUrl + path)
  return page
}

/** Clicks before the script is loaded are not replayed. */
async function untilStarted(page: Page): Promise<void> {
  await page.locator('html[data-code]').waitFor({ state: 'attached' })
}

test('the type of a problem links to the page of its code, in the language of the reader', async () => {
  const { body } = await send<Problem>(`${gatewayUrl}/api/v1/instruments`)
  for (const [language, heading] of [
    ['en', 'What it means'],
    ['es', 'Qué significa'],
    ['fr', 'Ce que cela veut dire'],
  ] as const) {
    const page = await fetch(`${webUrl}${body.type}?lang=${language}`)
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain(body.code)
    expect(html).toContain(heading)
  }
})

test('every link in the documentation works', async () => {
  const links = new Map<string, string>()
  const groups = [...referenceGroups.api, ...referenceGroups.admin].map((group) => referencePath(group))
  for (const path of [...TEXTS, paths.apiDocs, ...groups, `${paths.docsErrors}/limit.minute_exceeded`]) {
    const html = await (await fetch(webUrl + path)).text()
    for (const [, href = ''] of html.matchAll(/ href="(\/[^"?#]*)["?#]/g)) links.set(href, path)
  }
  const dead: string[] = []
  for (const [href, path] of links) {
    const { status } = await fetch(webUrl + href, { redirect: 'manual' })
    if (status !== 200) dead.push(`${path} links to ${href}: ${status}`)
  }
  expect(dead).toEqual([])
})

test('programs can fetch the OpenAPI document, llms.txt and each text as Markdown', async () => {
  const document = await send<{ openapi: string }>(webUrl + paths.openApiDocument)
  expect(document.body.openapi).toBe('3.1.0')
  const index = await (await fetch(webUrl + paths.llmsText)).text()
  const named = [...index.matchAll(/\]\((\/[^)#]+\.md)\)/g)].map(([, path = '']) => path)
  expect(new Set(named).size).toBe(TEXTS.length)
  for (const path of new Set(named)) {
    const text = await fetch(webUrl + path)
    expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await text.text()).not.toMatch(/^::|\]\((page|error|operation):/m)
  }
})

test('the language of the samples is remembered on every page', async () => {
  const page = await openPage(paths.docs)
  await untilStarted(page)
  await page.getByRole('button', { name: 'Python', exact: true }).first().click()
  await page.getByRole('group', { name: /list trades: Python/ }).waitFor()
  expect(await page.getByRole('group', { name: /list trades: curl/ }).isVisible()).toBe(false)
  await page.goto(webUrl + paths.sdk)
  await page.getByRole('group', { name: /walk: Python/ }).waitFor()
  expect(await page.getByRole('group', { name: /walk: TypeScript/ }).isVisible()).toBe(false)
})

test('try-it shows the status, duration and limit headers of the response, and stores the key nowhere', async () => {
  const page = await openPage(referencePath('market-data'))
  const form = page.locator('[data-island="try-it"][data-method="POST"]').first()
  await page.getByText('Try it', { exact: true }).first().click()
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText('Enter an API key, or sign in.').waitFor()
  await form.getByLabel(/^API key/).fill(key.apiKey)
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/api/v1/trades/list') && response.request().method() === 'POST',
  )
  await form.getByRole('button', { name: 'Send' }).click()
  const answer = await answered
  await form.getByText(/^\d[\d.,]* ms$/).waitFor()
  const limits = (await answer.headerValue('ratelimit')) ?? 'none came'
  expect(await form.locator('[data-part="status"]').textContent()).toBe('200')
  expect(await form.locator('[data-part="headers"]').textContent()).toContain(limits)
  const storage = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, location.href])')
  expect(storage).not.toContain(key.apiKey)
  expect(await page.content()).not.toContain(key.apiKey)
})

test('the search finds a section and a code', async () => {
  const page = await openPage(paths.docs)
  const field = page.getByLabel('Search the documentation')
  await field.fill('minute_exceeded')
  await page.getByRole('link', { name: /^limit\.minute_exceeded/ }).click()
  await page.waitForURL(`${webUrl}${paths.docsErrors}/limit.minute_exceeded`)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('limit.minute_exceeded')
})

test('the reference lists every call with a link to its group, opens by keyboard, and separates administration', async () => {
  const page = await openPage(paths.apiDocs)
  const main = page.getByRole('main')
  const calls = await main.locator('.groups li a').count()
  const { body } = await send<{ paths: Record<string, Record<string, { tags: string[] }>> }>(
    webUrl + paths.openApiDocument,
  )
  const operations = Object.values(body.paths).flatMap((methods) => Object.values(methods))
  expect(calls).toBe(operations.length)
  const admin = page.getByRole('navigation', { name: 'Reference' }).getByText('Administration', { exact: true })
  await admin.waitFor()
  await main.getByRole('link', { name: 'List trades' }).press('Enter')
  await page.waitForURL(webUrl + referencePath('market-data', 'list-trades'))
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Market data')
  const ofMarketData = operations.filter(({ tags }) => tags.includes('market-data'))
  expect(await main.getByRole('heading', { level: 2 }).count()).toBe(ofMarketData.length)
  expect(await main.getByText('/api/v1/admin/').count()).toBe(0)
})

test('a URL of the former single page redirects to the page of that call', async () => {
  const page = await openPage(`${paths.apiDocs}#save-tier`)
  await page.waitForURL(webUrl + referencePath('admin-tiers', 'save-tier'))
  expect(await page.getByRole('heading', { name: 'Replace one tier’s document' }).isVisible()).toBe(true)
})

test('at 1,440 px the code of the SDK page is next to its text, and both fill the page', async () => {
  const page = await openPage(paths.sdk, 1_440)
  const [code, text] = await edgesOfBoth(
    page.getByRole('group', { name: /walk: TypeScript/ }),
    page.getByText('A list loads pages as you iterate'),
  )
  expect(code.left).toBeGreaterThan(text.right)
  expect(Math.abs(code.top - text.top)).toBeLessThan(80)
  expect(text.width + code.width).toBeGreaterThan(900)
})

test('the search leads to the page of a call', async () => {
  const page = await openPage(paths.docs)
  await page.getByLabel('Search the documentation').fill('create-key')
  await page.getByRole('link', { name: /^Create an API key/ }).click()
  await page.waitForURL(webUrl + referencePath('keys', 'create-key'))
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('API keys')
})

test('a signed-in reader sees their own keys in the quickstart, and tries calls as themselves', async () => {
  const page = await openPage(paths.login)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.waitForURL(webUrl + paths.profile)
  await page.goto(webUrl + paths.docs)
  await page.getByText(`export TAPELINE_KEY='${key.key.prefix}_…'  # order-router`).waitFor()
  await page.goto(`${webUrl}${paths.apiDocs}#read-limits`)
  await page.waitForURL(webUrl + referencePath('limits', 'read-limits'))
  const operation = page.locator('section', { has: page.locator('#read-limits') }).last()
  await operation.getByText('Try it', { exact: true }).click()
  await operation.getByRole('button', { name: 'Send' }).click()
  await operation.locator('[data-part="body"]').filter({ hasText: '"key_id": null' }).waitFor()
  expect(await operation.locator('[data-part="status"]').textContent()).toBe('200')
})

test.each([
  [paths.docs, 1280],
  [paths.docsErrors, 320],
  [`${paths.docsErrors}/limit.minute_exceeded`, 768],
  [paths.apiDocs, 320],
  [referencePath('market-data'), 320],
  [referencePath('admin-tiers'), 1280],
])('%s has no barriers at %i px and no text beside it', async (path, width) => {
  const page = await openPage(path, width)
  expect(await findBarriers(page)).toEqual([])
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
})
