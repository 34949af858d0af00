import { parseArgs } from 'node:util'
import { beginResult } from '@tapeline/testing/begin-result'
import { openBrowser } from '@tapeline/testing/browser'
import { takePlatform, type TestPlatform } from '../../tests/platform/take-platform.ts'
import { fillAccount } from './fill-account.ts'
import { paths } from '../src/paths.ts'
import { referencePath } from '../src/public/reference/reference-path.ts'
import { measureActions, measureRoutes, openDashboard, signInFor } from './bench/measure-actions.ts'
import { measureManyRows } from './bench/measure-large-data.ts'
import { type Budget, type MeasuredPage, measurePages, overBudget, type PageFigures } from './bench/measure-pages.ts'
import { serveRivals } from './bench/rivals.ts'
import { SLOW } from './bench/slow-page.ts'

/** Measures page weight and load time on a slow phone; the API reference is compared with three other tools. */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: 'pages,references,dashboard,large-data' },
    out: { type: 'string', default: 'docs/benchmarks/web.json' },
  },
})
const RUNS = Number(values.runs)
const isSelected = (part: string): boolean => values.only.split(',').includes(part)
const PUBLIC: Budget = { js: 15, css: 12, lcpMs: 1_000, shift: 0.02 }
const AUTH: Budget = { js: 135, css: 12, lcpMs: 1_600, shift: 0.02 }
const FIRST_LOAD: Budget = { js: 150, css: 15, lcpMs: 2_200, shift: 0.02 }
const REFERENCE: Budget = { js: 40, css: 12, lcpMs: 1_000, shift: 0.02 }
const AIMS = { reactionMs: 100, routeChangeMs: 100, chartMs: 150, scrollLongestTaskMs: 50 }
const TRAFFIC_MINUTES = 0.5
/** The form is rendered before its script is loaded, so this waits until it works. */
const FORM = { selector: '#root:not([data-prerendered]) main', words: 'Email' }
/** Text that every reference renders before anything is opened. */
const OPERATION = '/api/v1/trades/list'

const result = beginResult()
const platform = values.only === 'large-data' ? undefined : await takePlatform()
const webUrl = platform?.running.webUrl ?? ''
const browser = await openBrowser()
try {
  const pages = isSelected('pages') ? await measurePages(browser, publicPages(), RUNS) : []
  const references = isSelected('references') ? await measureReferences() : []
  const dashboard = isSelected('dashboard') && platform !== undefined ? await measureDashboard(platform) : undefined
  const largeData = isSelected('large-data') ? await measureManyRows(browser, RUNS, [1, SLOW.cpuSlowdown]) : []
  printPages('pages', [...pages, ...(dashboard?.firstLoad ?? [])])
  printPages('API references', references)
  if (dashboard !== undefined) {
    console.table(dashboard.routes)
    console.table(dashboard.actions)
  }
  console.table(largeData)
  const missed = [
    ...[...pages, ...references, ...(dashboard?.firstLoad ?? [])].flatMap(overBudget),
    ...(dashboard?.routes ?? []).flatMap(({ name, js, jsMax, warmMs }) => [
      ...exceeded(`${name}, script`, js, jsMax),
      ...exceeded(`${name}, opened again`, warmMs, AIMS.routeChangeMs),
    ]),
    ...(dashboard?.actions ?? []).flatMap(({ name, reactionMs }) => exceeded(name, reactionMs, AIMS.reactionMs)),
    ...largeData.flatMap(({ cpuSlowdown, chartMs, scrollLongestTaskMs }) => [
      ...exceeded(`100,000 points, ${cpuSlowdown} times as slow`, chartMs, AIMS.chartMs),
      ...exceeded(`10,000 rows scrolled, ${cpuSlowdown} times as slow`, scrollLongestTaskMs, AIMS.scrollLongestTaskMs),
    ]),
  ]
  for (const one of missed) console.log(`missed: ${one}`)
  if (missed.length > 0) process.exitCode = 1
  result.write(values.out, { slow: SLOW, runs: RUNS, aims: AIMS, missed, pages, references, ...dashboard, largeData })
} finally {
  await browser.close()
  await platform?.stop()
}

function publicPages(): MeasuredPage[] {
  const of = (budget: Budget, ...all: string[]) => all.map((path) => ({ name: path, url: webUrl + path, budget }))
  return [
    ...of(PUBLIC, paths.home, paths.pricing, paths.about, paths.docs),
    ...of(AUTH, paths.login, paths.signup).map((page) => ({ ...page, awaited: FORM })),
  ]
}

async function measureReferences(): Promise<PageFigures[]> {
  const { rivals, stop } = await serveRivals()
  try {
    const path = referencePath('market-data')
    const own = { name: `ours, ${path}`, url: webUrl + path, budget: REFERENCE }
    const all: MeasuredPage[] = [
      { ...own, awaited: { selector: 'main', words: OPERATION } },
      ...rivals.map(({ name, url, element }) => ({ name, url, awaited: { selector: element, words: OPERATION } })),
    ]
    return await measurePages(browser, all, RUNS)
  } finally {
    await stop()
  }
}

async function measureDashboard({ running }: TestPlatform) {
  const person = await fillAccount(running, TRAFFIC_MINUTES)
  const storage = await signInFor(browser, webUrl, person)
  const first: MeasuredPage[] = [
    {
      name: paths.profile,
      url: webUrl + paths.profile,
      budget: FIRST_LOAD,
      storage,
      awaited: { selector: 'main', words: person.email },
    },
    { name: paths.metrics, url: webUrl + paths.metrics, storage },
  ]
  const firstLoad = await measurePages(browser, first, RUNS)
  const slow = await openDashboard(browser, webUrl, storage)
  try {
    return { firstLoad, routes: await measureRoutes(slow), actions: await measureActions(slow, webUrl) }
  } finally {
    await slow.close()
  }
}

function exceeded(name: string, value: number, most: number): string[] {
  return value > most ? [`${name}: ${value}, at most ${most}`] : []
}

function printPages(title: string, figures: readonly PageFigures[]): void {
  if (figures.length === 0) return
  console.log(title)
  console.table(figures, [
    'name',
    'lcpMs',
    'fcpMs',
    'awaitedMs',
    'shift',
    'longestTaskMs',
    'js',
    'css',
    'allKb',
    'files',
  ])
}
