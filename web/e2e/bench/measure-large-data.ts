import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { median, rounded } from './measure-pages.ts'
import { serveFolder } from './serve-folder.ts'
import { openSlowPage } from './slow-page.ts'

const ROOT_DIR = join(import.meta.dirname, '..', '..', '..')
const BUILD_TIMEOUT_MS = 300_000
const POINTS = 100_000
const ROWS = 10_000
const DRAWN_WITHIN_MS = 120_000
const WIDTH = 1_440
const WHEEL_PX = 900
const WHEELS = 40
const WHEEL_EVERY_MS = 50

export type ManyRowsFigures = {
  cpuSlowdown: number
  /** Chart with 100,000 points, from data to a frame: the first frame, and the median of later ones. */
  chartFirstMs: number
  chartMs: number
  /** Table with 10,000 rows. */
  logDrawnMs: number
  /** Longest task while scrolling from start to end: the median of all runs. */
  scrollLongestTaskMs: number
}

/** More data than any account has, in the components of the pages (web/bench), at full speed and slowed down. */
export async function measureManyRows(
  browser: Browser,
  runs: number,
  slowdowns: readonly number[],
): Promise<ManyRowsFigures[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tapeline-large-data-'))
  await build(folder)
  const served = await serveFolder(folder)
  try {
    const all: ManyRowsFigures[] = []
    for (const cpuSlowdown of slowdowns) all.push(await measureAt(browser, served.url, { cpuSlowdown, runs }))
    return all
  } finally {
    await served.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function build(folder: string): Promise<void> {
  const vite = join(ROOT_DIR, 'node_modules', 'vite', 'bin', 'vite.js')
  const config = join(ROOT_DIR, 'web', 'bench', 'vite.config.ts')
  const args = [vite, 'build', '--configLoader', 'native', '--config', config, '--outDir', folder, '--emptyOutDir']
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, args, { cwd: join(ROOT_DIR, 'web'), timeout: BUILD_TIMEOUT_MS, env })
}

type At = { cpuSlowdown: number; runs: number }

async function measureAt(browser: Browser, url: string, { cpuSlowdown, runs }: At): Promise<ManyRowsFigures> {
  const { page, takeLongestTaskMs, close } = await openSlowPage(browser, { cpuSlowdown, width: WIDTH })
  page.setDefaultTimeout(DRAWN_WITHIN_MS)
  try {
    await page.goto(url)
    await waitUntil(
      'the page is ready',
      () => page.evaluate<boolean>('window.largeData !== undefined'),
      DRAWN_WITHIN_MS,
    )
    const chartFirstMs = await page.evaluate<number>(`largeData.drawChart(${POINTS})`)
    const again: number[] = []
    for (let run = 0; run < runs; run += 1)
      again.push(await page.evaluate<number>(`largeData.drawChart(${POINTS - run})`))
    process.stderr.write(`${POINTS} points: ${again.map(Math.round).join(', ')} ms\n`)
    const logDrawnMs = await page.evaluate<number>(`largeData.drawLog(${ROWS})`)
    process.stderr.write(`${ROWS} rows: ${Math.round(logDrawnMs)} ms\n`)
    const longest: number[] = []
    for (let run = 0; run < runs; run += 1) longest.push(await scroll(page, takeLongestTaskMs))
    process.stderr.write(`longest tasks of scrolling: ${longest.map(Math.round).join(', ')} ms\n`)
    return {
      cpuSlowdown,
      chartFirstMs: rounded(chartFirstMs, 0),
      chartMs: rounded(median(again), 0),
      logDrawnMs: rounded(logDrawnMs, 0),
      scrollLongestTaskMs: rounded(median(longest), 0),
    }
  } finally {
    await close()
  }
}

async function scroll(page: Page, takeLongestTaskMs: () => Promise<number>): Promise<number> {
  await page.mouse.move(WIDTH / 2, WHEEL_PX / 2)
  await page.waitForTimeout(WHEEL_EVERY_MS * WHEELS)
  await takeLongestTaskMs()
  for (let n = 0; n < WHEELS; n += 1) {
    await page.mouse.wheel(0, WHEEL_PX)
    await page.waitForTimeout(WHEEL_EVERY_MS)
  }
  // To the end at once, and back, as with the keys End and Home.
  for (const key of ['End', 'Home']) {
    await page.keyboard.press(key)
    await page.waitForTimeout(WHEEL_EVERY_MS * 10)
  }
  return takeLongestTaskMs()
}
