import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { someUser } from '@tapeline/testing/actors'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { seededRandom } from '@tapeline/testing/seeded-random'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { ACTOR_HEADER, signActorToken } from '@tapeline/service/actor-token'
import { createDeps } from '../src/deps.ts'
import { folderStore } from '../src/lake/objects/folder-store.ts'
import { migrations } from '../src/migrations/all.ts'
import { dayStart } from '../src/nanoseconds.ts'
import type { Tables } from '../src/tables.ts'
import { listBackends } from './backend-queries.ts'
import { fillLake, fillTable, FIRST_DAY } from './fill-lake.ts'

// What does a page of 1,000 trades cost, from the lake and from PostgreSQL? The service in a process of its own, over HTTP.

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000000' },
    'table-days': { type: 'string', default: '3' },
    pages: { type: 'string', default: '300' },
    out: { type: 'string', default: 'docs/benchmarks/lake.json' },
  },
})
const PAGE_ROWS = 1_000
const WARM_PAGES = 40
const TICK_MICROS = 10_000
const SECONDS_PER_DAY = 86_400
const pages = Number(values.pages)
const say = (line: string) => process.stderr.write(`${line}\n`)

type Used = { cpuMicros: number; rssBytes: number }
type Server = { port: number; used: () => Promise<Used>; child: ChildProcess }

const database = await openTestDatabase<Tables>(migrations)
const folder = await mkdtemp(join(tmpdir(), 'tapeline-lake-bench-'))
const deps = createDeps(database.pool, () => new Date(), 'a secret of at least 32 characters', {
  store: folderStore(folder),
})
let server: Server | undefined
try {
  const lake = await fillLake(deps, Number(values.rows), progress())
  say(`lake: ${lake.rows} rows in ${Math.round(lake.seconds)} s, ${(lake.bytes / lake.rows).toFixed(2)} bytes a row`)
  const table = await fillTable(deps, Number(values['table-days']))
  say(`PostgreSQL: ${table.rows} rows in ${Math.round(table.seconds)} s`)
  server = await startServer()
  const measured = []
  for (const clients of [1, 8]) {
    for (const [source, symbol, days] of [
      ['lake', 'BTC-USDT', lake.days],
      ['postgresql', 'ETH-USDT', table.days],
    ] as const) {
      for (const way of ['walking', 'random place'] as const) {
        const figures = await measure(server, { source, symbol, days, way, clients })
        say(JSON.stringify(figures))
        measured.push(figures)
      }
    }
  }
  const result = { at: new Date().toISOString(), machine: machine(), pageRows: PAGE_ROWS, lake, table, measured }
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
} finally {
  server?.child.kill()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
}

async function startServer(): Promise<Server> {
  const env = { ...process.env, DATABASE_URL: database.url, LAKE_URL: `file:${folder}` }
  const child = fork(join(import.meta.dirname, 'lake-server.ts'), { env })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const used = async () => {
    const answer = once(child, 'message')
    child.send('used')
    const [figures] = (await answer) as [Used]
    return figures
  }
  return { port, used, child }
}

type Case = { source: string; symbol: string; days: number; way: 'walking' | 'random place'; clients: number }

async function measure({ port, used }: Server, given: Case) {
  const { clients } = given
  const random = seededRandom(7)
  await Promise.all(Array.from({ length: clients }, () => readPages(port, given, { random, count: WARM_PAGES })))
  const backends = await listBackends(database.pool, 'lake-bench')
  const before = { ...(await used()), postgres: cpuMicrosOf(backends) }
  const startedMs = performance.now()
  const each = Math.ceil(pages / clients)
  const times = (
    await Promise.all(Array.from({ length: clients }, () => readPages(port, given, { random, count: each })))
  ).flat()
  const seconds = (performance.now() - startedMs) / 1_000
  const after = { ...(await used()), postgres: cpuMicrosOf(backends) }
  const sorted = times.toSorted((one, other) => one - other)
  const perPage = (micros: number) => Number((micros / times.length / 1_000).toFixed(2))
  return {
    ...given,
    pages: times.length,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    pagesPerSecond: Math.round(times.length / seconds),
    serviceCpuMsPerPage: perPage(after.cpuMicros - before.cpuMicros),
    postgresCpuMsPerPage: perPage(increase(before.postgres, after.postgres)),
    serviceRssMb: Math.round(after.rssBytes / 1024 / 1024),
  }
}

type Reading = { random: () => number; count: number }

/** Milliseconds of each page; a walk begins at a random place and stays in order. */
async function readPages(port: number, { symbol, days, way }: Case, { random, count }: Reading): Promise<number[]> {
  const times: number[] = []
  let cursor: string | null = null
  for (let n = 0; n < count; n += 1) {
    const second = Math.floor(random() * (days * SECONDS_PER_DAY - 2 * PAGE_ROWS))
    const start = String(dayStart(FIRST_DAY) + BigInt(second) * 1_000_000_000n)
    const first = { venues: ['sim'], symbols: [symbol], start, limit: PAGE_ROWS }
    const body = way === 'walking' && cursor !== null ? { cursor, limit: PAGE_ROWS } : first
    const startedMs = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/trades/list`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip', [ACTOR_HEADER]: token() },
      body: JSON.stringify(body),
    })
    const page = (await response.json()) as { data?: unknown[]; next_cursor: string | null; code?: string }
    times.push(performance.now() - startedMs)
    if (page.data?.length !== PAGE_ROWS && way === 'random place')
      throw new Error(`a page failed: ${page.code ?? 'short'}`)
    cursor = page.data?.length === PAGE_ROWS ? page.next_cursor : null
  }
  return times
}

function token(): string {
  const actor = someUser({ tier: 'pro' })
  return signActorToken(testInternalKeys, { caller: 'gateway', audience: 'market-data', actor, nowMs: Date.now() })
}

/** User and system time by process, from /proc; a backend whose connection was closed is left out. */
function cpuMicrosOf(pids: readonly number[]): Map<number, number> {
  const times = new Map<number, number>()
  for (const pid of pids) {
    const file = `/proc/${pid}/stat`
    if (!existsSync(file)) continue
    const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
    times.set(pid, (Number(fields[11]) + Number(fields[12])) * TICK_MICROS)
  }
  return times
}

function increase(before: Map<number, number>, after: Map<number, number>): number {
  return [...after].reduce((sum, [pid, micros]) => sum + micros - (before.get(pid) ?? micros), 0)
}

function quantile(sorted: readonly number[], share: number): number {
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2))
}

function machine() {
  return { cpu: cpus()[0]?.model ?? '', cores: availableParallelism(), load: loadavg()[0], node: process.version }
}

function progress(): (rows: number) => void {
  let shown = 0
  return (rows) => {
    if (rows - shown < 1_000_000) return
    shown = rows
    say(`${rows} rows, ${new Date().toISOString()}`)
  }
}
