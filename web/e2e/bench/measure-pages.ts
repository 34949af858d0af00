import type { Browser } from '@tapeline/testing/browser'
import { waitUntil } from '@tapeline/testing/wait-until'
import { openSlowPage, type SlowPageOptions } from './slow-page.ts'

/** Budgets of a page: KB, ms, and the sum of layout shifts. */
export type Budget = { js: number; css: number; lcpMs: number; shift: number }
export type MeasuredPage = SlowPageOptions & { name: string; url: string; budget?: Budget }
export type PageFigures = {
  name: string
  lcpMs: number
  fcpMs: number
  /** Time at which the awaited element was visible; null if none was awaited or it did not appear. */
  awaitedMs: number | null
  shift: number
  longestTaskMs: number
  js: number
  css: number
  font: number
  allKb: number
  files: number
  budget: Budget | null
}

const LOAD_WITHIN_MS = 120_000
/** Time after loading in which late painting and layout shifts are measured. */
const SETTLE_MS = 2_000
/** Pages that render in the browser have rendered by then; anything later is not counted. */
const AWAITED_WITHIN_MS = 40_000

/** Measures each page with an empty cache, repeatedly and interleaved so that machine load affects all alike; medians. */
export async function measurePages(
  browser: Browser,
  pages: readonly MeasuredPage[],
  runs: number,
): Promise<PageFigures[]> {
  const all = pages.map((): PageFigures[] => [])
  for (let run = 0; run < runs; run += 1) {
    for (const [n, page] of pages.entries()) {
      const figures = await measureOnce(browser, page)
      all[n]?.push(figures)
      process.stderr.write(`${page.name}: LCP ${Math.round(figures.lcpMs)} ms, ${Math.round(figures.js)} KB\n`)
    }
  }
  return pages.map(({ name, budget = null }, n) => mediansOf(name, budget, all[n] ?? []))
}

async function measureOnce(browser: Browser, page: MeasuredPage): Promise<PageFigures> {
  const { name, url, budget = null, ...options } = page
  const slow = await openSlowPage(browser, options)
  try {
    await slow.page.goto(url, { waitUntil: 'load', timeout: LOAD_WITHIN_MS })
    const { awaited } = options
    if (awaited !== undefined) {
      const isSeen = () => slow.page.evaluate<boolean>('__seen.awaited !== undefined')
      await waitUntil(`${name} shows ${awaited.words}`, isSeen, AWAITED_WITHIN_MS).catch(console.log)
    }
    await slow.page.waitForTimeout(SETTLE_MS)
    const { files, ...kb } = slow.takeWeights()
    const allKb = Object.values(kb).reduce((sum, each) => sum + each, 0)
    return { name, budget, ...(await slow.vitals()), js: kb.js, css: kb.css, font: kb.font, allKb, files }
  } finally {
    await slow.close()
  }
}

function mediansOf(name: string, budget: Budget | null, runs: readonly PageFigures[]): PageFigures {
  const of = (figure: Exclude<keyof PageFigures, 'name' | 'budget' | 'awaitedMs'>, digits = 0): number =>
    rounded(median(runs.map((run) => run[figure])), digits)
  const measured = runs.flatMap(({ awaitedMs }) => (awaitedMs === null ? [] : [awaitedMs]))
  return {
    name,
    lcpMs: of('lcpMs'),
    fcpMs: of('fcpMs'),
    awaitedMs: measured.length === runs.length && measured.length > 0 ? rounded(median(measured), 0) : null,
    shift: of('shift', 4),
    longestTaskMs: of('longestTaskMs'),
    js: of('js', 1),
    css: of('css', 1),
    font: of('font', 1),
    allKb: of('allKb', 1),
    files: of('files'),
    budget,
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

/** Every figure of a page that is over its budget. */
export function overBudget({ name, budget, ...figures }: PageFigures): string[] {
  if (budget === null) return []
  const names = Object.keys(budget) as (keyof Budget)[]
  return names.flatMap((figure) =>
    figures[figure] > budget[figure] ? [`${name}: ${figure} ${figures[figure]}, at most ${budget[figure]}`] : [],
  )
}
