import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { beginResult } from '@tapeline/testing/begin-result'
import { seededRandom } from '@tapeline/testing/seeded-random'
import { setLimits, setTier } from '@tapeline/testing/set-subscription'
import { type Platform, startPlatform } from '../deploy/local/platform.ts'
import type { Cost } from './run/load-result.ts'
import { listProcesses } from './run/load-platform.ts'
import { measureCosts } from './run/measure-costs.ts'

/**
 * Measures the CPU time of a page of 1,000 sealed trades in all processes of `npm start`: gateway, services, servers,
 * usage counting. Background work is included.
 */
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    days: { type: 'string', default: '4' },
    out: { type: 'string', default: 'docs/benchmarks/page-costs.json' },
  },
})
const [PAGES, DAYS] = [Number(values.pages), Number(values.days)]
const WARM_PAGES = 400
const PAGE_ROWS = 1_000
const TRADES_PER_DAY = 500_000
const DAY_MS = 86_400_000
/** Only days that have ended and that the plan includes. */
const FIRST_DAY = (Math.floor(Date.now() / DAY_MS) - DAYS - 1) * DAY_MS
/**
 * market-data keeps working after an import: measurement starts when all processes together use less CPU time (µs per
 * second).
 */
const IDLE_MICROS = 250_000
const IDLE_SECONDS = 5
const IDLE_SAMPLES = 4
const IDLE_WITHIN_MS = 300_000
const LIMIT = 100_000_000
const NEVER_REACHED = {
  requestsPerMinute: LIMIT,
  requestsPerHour: LIMIT,
  requestsPerDay: LIMIT,
  requestsPerMonth: LIMIT,
}
const IMPORT = join(import.meta.dirname, '..', 'services', 'market-data', 'src', 'import.ts')

const result = beginResult()
const dir = mkdtempSync(join(tmpdir(), 'tapeline-pages-'))
// The simulator would still be generating a longer history during the measurement.
const platform = await startPlatform({ dir, env: { 'market-data': { SIMULATOR_HISTORY_HOURS: '1' } } })
try {
  importTrades(platform)
  const processes = listProcesses(platform)
  await untilIdle(processes)
  const apiKey = await keyWithoutLimits(platform)
  const figures = []
  for (const way of ['walking', 'random place'] as const) {
    await readPages(apiKey, way, WARM_PAGES)
    const costs = measureCosts({ processes })
    const startedMs = performance.now()
    await readPages(apiKey, way, PAGES)
    const seconds = (performance.now() - startedMs) / 1_000
    // Usage counting continues after the last response.
    await delay(2_000)
    figures.push(describe(way, costs(PAGES), seconds))
  }
  result.write(values.out, { pages: PAGES, rowsPerPage: PAGE_ROWS, figures })
} finally {
  await platform.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

/** Imports past days into the lake, as an operator imports files of data.binance.vision. */
function importTrades({ databaseUrls }: Platform): void {
  const files = Array.from({ length: DAYS }, (_, day) => writeDay(FIRST_DAY + day * DAY_MS))
  const env = { ...process.env, DATABASE_URL: databaseUrls['market-data'], LAKE_URL: `file:${join(dir, 'lake')}` }
  process.stderr.write(execFileSync(process.execPath, [IMPORT, 'binance-spot', ...files], { env, encoding: 'utf8' }))
}

function writeDay(dayMs: number): string {
  const path = join(dir, `BTCUSDT-trades-${new Date(dayMs).toISOString().slice(0, 10)}.csv`)
  const random = seededRandom(dayMs / DAY_MS)
  const lines: string[] = []
  let cents = 6_183_700
  for (let n = 0; n < TRADES_PER_DAY; n += 1) {
    cents += Math.floor(random() * 21) - 10
    const [price, quantity] = [(cents / 100).toFixed(8), (0.00001 + random() ** 4).toFixed(5)]
    const timeMs = dayMs + Math.floor((n / TRADES_PER_DAY) * DAY_MS)
    const id = ((dayMs - FIRST_DAY) / DAY_MS) * TRADES_PER_DAY + n + 1
    lines.push(`${id},${price},${quantity},${price},${timeMs},${random() < 0.5},true\n`)
  }
  writeFileSync(path, lines.join(''))
  return path
}

async function untilIdle(processes: ReturnType<typeof listProcesses>): Promise<void> {
  const giveUpMs = performance.now() + IDLE_WITHIN_MS
  for (let times = 0; times < IDLE_SAMPLES;) {
    if (performance.now() > giveUpMs) throw new Error('the platform did not become quiet')
    const costs = measureCosts({ processes })
    await delay(IDLE_SECONDS * 1_000)
    times = sumOf(costs(IDLE_SECONDS)) < IDLE_MICROS ? times + 1 : 0
  }
}

async function keyWithoutLimits({ gatewayUrl, databaseUrls, addresses }: Platform): Promise<string> {
  const { user, jwtToken } = await signUpUser(gatewayUrl)
  const owners = { configDatabaseUrl: databaseUrls.config, redisUrl: addresses.redisUrl }
  await setTier(owners, user.id, 'pro')
  await setLimits(owners, user.id, NEVER_REACHED)
  return (await createKeyFor(gatewayUrl, jwtToken)).apiKey
}

/** Uses one client; paging starts again at a random time when the trades end. */
async function readPages(apiKey: string, way: 'walking' | 'random place', count: number): Promise<void> {
  const random = seededRandom(7)
  let cursor: string | undefined
  for (let n = 0; n < count; n += 1) {
    const start = new Date(FIRST_DAY + Math.floor(random() * (DAYS - 0.1) * DAY_MS)).toISOString()
    const first = { venues: ['binance'], symbols: ['BTC-USDT'], start, limit: PAGE_ROWS }
    const body = way === 'walking' && cursor !== undefined ? { cursor, limit: PAGE_ROWS } : first
    const response = await fetch(`${platform.gatewayUrl}/api/v1/trades/list`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'accept-encoding': 'zstd' },
      body: JSON.stringify(body),
    })
    const page = await response.text()
    if (response.status !== 200) throw new Error(`a page got ${response.status}: ${page}`)
    const isFull = response.headers.get('x-rows-returned') !== null
    cursor = isFull ? /"next_cursor":"([^"]+)"/.exec(page.slice(-4_096))?.[1] : undefined
  }
}

function describe(way: string, costs: Cost[], seconds: number) {
  const cpuMsPerPage = Object.fromEntries(
    costs
      .map(({ name, cpuMicrosPerRequest }) => [name, round(cpuMicrosPerRequest / 1_000)] as const)
      .filter(([, ms]) => ms > 0),
  )
  const figure = { way, pagesPerSecond: Math.round(PAGES / seconds), cpuMsPerPage, allMs: round(sumOf(costs) / 1_000) }
  process.stderr.write(`${JSON.stringify(figure)}\n`)
  return figure
}

function sumOf(costs: readonly Cost[]): number {
  return costs.reduce((sum, { cpuMicrosPerRequest }) => sum + cpuMicrosPerRequest, 0)
}

function round(value: number): number {
  return Number(value.toFixed(2))
}
