import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DataFile, FileList } from '@tapeline/contracts/market-data/files'
import { createKeyFor, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { type Browser, openBrowser, type Page } from '@tapeline/testing/browser'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { paths } from '../src/paths.ts'
import { delayCalls } from './calls-of-page.ts'
import { textCopiedBy } from './copied-text.ts'
import { recordDays } from './recorded-days.ts'

/** Usually immediate; long enough for a busy machine. */
const SEEN_WITHIN_MS = 30_000
const DAYS = ['2026-03-02', '2026-03-03', '2026-03-05', '2026-03-06']
const venue = `venue-${crypto.randomUUID().slice(0, 8)}`
const platform = runningPlatform()
const { webUrl, gatewayUrl } = platform

let browser: Browser
let page: Page
let account: TestAccount

beforeAll(async () => {
  browser = await openBrowser()
  account = await signUpUser(gatewayUrl)
  await recordDays(platform, venue, DAYS)
  const permissions = ['clipboard-read', 'clipboard-write']
  page = await (await browser.newContext({ permissions, reducedMotion: 'reduce' })).newPage()
  await page.goto(webUrl + paths.login)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.waitForURL(webUrl + paths.profile)
})
afterAll(() => browser?.close())

const coverage = () => page.getByRole('region', { name: 'Coverage', exact: true })
const files = () => page.getByRole('region', { name: 'Files', exact: true })
const rows = () => files().getByRole('row')
const choice = `?venue=${venue}&symbol=BTC-USD&span=month`

test('a plan without data export is shown which plan has it; after an upgrade the page opens without a reload', async () => {
  await page.getByRole('link', { name: 'Downloads' }).click()
  await page.waitForURL(webUrl + paths.downloads)
  await page.getByRole('heading', { name: 'Upgrade to Basic to download files' }).waitFor()
  expect(await page.getByRole('link', { name: 'Compare plans' }).getAttribute('href')).toBe(paths.plan)
  expect(await coverage().count()).toBe(0)
  await setTier(platform, account.user.id, 'basic')
  await coverage().waitFor()
})

test('sealed days, empty days and other days are distinguished in the calendar and in the table', async () => {
  await page.goto(webUrl + paths.downloads + choice)
  const line = page.getByRole('img', {
    name: `BTC-USD, ${venue}, Trades: 4 sealed days, 1 day without a record, 0 gaps`,
  })
  await line.waitFor()
  expect(await line.locator('i').count()).toBe(30)
  expect(await line.locator('i').last().getAttribute('title')).toBe(
    '6 Mar 2026: sealed, may be revised, 40 rows, revision 1',
  )
  expect(await line.locator('i.day-empty').getAttribute('title')).toBe('4 Mar 2026: no records')
  expect(await line.locator('i.day-none').count()).toBe(25)
  await coverage().getByRole('button', { name: 'Coverage as a table' }).click()
  const row = coverage().getByRole('row').filter({ hasText: venue })
  expect(await row.getByRole('cell').nth(2).textContent()).toBe('4')
  expect(await row.getByRole('cell').nth(4).textContent()).toBe('1')
  await coverage().getByRole('button', { name: 'Coverage as a table' }).click()
})

test('days are chosen by dragging, by a click and by the date fields; the URL stores them', async () => {
  await page.goto(webUrl + paths.downloads + choice)
  await rows().nth(4).waitFor()
  // It is loaded separately and moves the calendar down.
  await page.getByRole('region', { name: 'Email verification' }).waitFor()
  const moveTo = async (date: string) => {
    const box = await page.getByRole('img', { name: venue }).getByTitle(date).boundingBox()
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 8, { steps: 4 })
  }
  const rowsAre = async (count: number) => {
    await expect.poll(() => rows().count(), { timeout: SEEN_WITHIN_MS }).toBe(count)
  }
  await moveTo('3 Mar 2026')
  await page.mouse.down()
  await moveTo('5 Mar 2026')
  await page.mouse.up()
  await page.waitForURL((url) => url.search.includes('from=2026-03-03&to=2026-03-05'))
  await rowsAre(3)
  await page.getByLabel('To', { exact: true }).fill('2026-03-06')
  await page.waitForURL((url) => url.searchParams.get('to') === '2026-03-06')
  await rowsAre(4)
  await moveTo('5 Mar 2026')
  await page.mouse.down()
  await page.mouse.up()
  await page.waitForURL((url) => url.searchParams.get('from') === '2026-03-05')
  await page.reload()
  await rowsAre(2)
})

test('while other days load, the files of the previous ones are neither listed nor called missing', async () => {
  await page.goto(webUrl + paths.downloads + choice)
  await rows().nth(4).waitFor()
  const release = await delayCalls(page, { to: '**/api/v1/files*' })
  await coverage().getByRole('button', { name: 'Earlier days' }).click()
  await page.getByText('Loading the files', { exact: true }).waitFor({ state: 'attached' })
  expect([await files().count(), await page.getByText('No files for these days').count()]).toEqual([0, 0])
  release('answered')
  await files().getByText('No files for these days').waitFor()
})

test('the chosen files arrive in the browser with the bytes that the API describes', async () => {
  const listed = await listFiles()
  expect(listed.map(({ date }) => date)).toEqual(DAYS)
  await page.goto(webUrl + paths.downloads + choice)
  await files().getByRole('checkbox', { name: '6 Mar, Trades' }).uncheck()
  const downloads: Promise<void>[] = []
  const downloaded: string[] = []
  page.on('download', (download) => {
    const file = listed.find(({ name }) => name === download.suggestedFilename())
    downloads.push(
      download.path().then(async (path) => {
        const sha256 = createHash('sha256')
          .update(await readFile(path))
          .digest('hex')
        downloaded.push(`${file?.date ?? 'unknown'} ${String(sha256 === file?.sha256)}`)
      }),
    )
  })
  await files()
    .getByRole('button', { name: /^Download .*B$/ })
    .click()
  await files().getByText('3 files downloaded').waitFor({ state: 'attached' })
  // The browser reports a download after the page has started it.
  await waitUntil('the downloads are reported', () => downloads.length >= 3)
  await Promise.all(downloads)
  expect(downloaded.toSorted((a, b) => a.localeCompare(b))).toEqual([
    '2026-03-02 true',
    '2026-03-03 true',
    '2026-03-05 true',
  ])
})

test('the copied call lists the same files, and the copied script fetches and verifies them, also when it runs again', async () => {
  const { apiKey } = await createKeyFor(gatewayUrl, account.jwtToken, 'notebook')
  await page.goto(`${webUrl}${paths.downloads}${choice}&from=2026-03-05&to=2026-03-06`)
  const copied = (name: string) => textCopiedBy(page, files().getByRole('button', { name }))
  const listed: FileList = JSON.parse((await shell(await copied('Copy as curl'), apiKey)).stdout)
  expect(listed.data.map(({ date }) => date)).toEqual(['2026-03-05', '2026-03-06'])
  const script = await copied('Copy as script')
  expect(script).not.toContain(apiKey)
  const folder = await mkdtemp(join(tmpdir(), 'tapeline-script-'))
  try {
    for (const { stdout } of [await shell(script, apiKey, folder), await shell(script, apiKey, folder)]) {
      expect(stdout.match(/: OK/g)).toHaveLength(2)
    }
    expect((await readdir(folder)).filter((name) => name.endsWith('.parquet'))).toHaveLength(2)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each([360, 320])(
  'at %i px nothing scrolls sideways, in longer languages and while the files load',
  async (width) => {
    const context = await browser.newContext({
      storageState: await page.context().storageState(),
      viewport: { width, height: 780 },
      reducedMotion: 'reduce',
    })
    await context.addCookies([{ name: 'tapeline-language', value: 'fr', url: webUrl }])
    const phone = await context.newPage()
    const overflow = () =>
      phone.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    try {
      const listing = Promise.withResolvers<void>()
      await phone.route(/\/api\/v1\/files\?/, async (route) => {
        await listing.promise
        await route.continue()
      })
      await phone.goto(webUrl + paths.downloads + choice)
      await phone.locator('.bone').first().waitFor()
      expect(await overflow()).toBeLessThanOrEqual(0)
      listing.resolve()
      await phone.locator('.coverage-calendar .line').first().waitFor()
      expect(await overflow()).toBeLessThanOrEqual(0)
      expect(await phone.evaluate(OVERLAPPING_LINES)).toEqual([])
    } finally {
      await context.close()
    }
  },
)

/** The texts of calendar lines whose channel and outcome overlap. */
const OVERLAPPING_LINES = `[...document.querySelectorAll('.coverage-calendar .line')].flatMap((line) => {
  const [channel, outcome] = ['.channel', '.outcome'].map((part) => {
    const range = document.createRange()
    range.selectNodeContents(line.querySelector(part))
    return range.getBoundingClientRect()
  })
  return channel.right > outcome.left ? [line.textContent] : []
})`

const run = promisify(execFile)

function shell(script: string, apiKey: string, cwd = tmpdir()) {
  return run('sh', ['-c', script], { cwd, env: { ...process.env, TAPELINE_API_KEY: apiKey } })
}

async function listFiles(): Promise<DataFile[]> {
  const url = `${gatewayUrl}/api/v1/files?venue=${venue}`
  return (await send<FileList>(url, { token: account.jwtToken })).body.data
}
