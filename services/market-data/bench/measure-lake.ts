import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { findS3Server, startS3Server, WITHOUT_S3_SERVER } from '@tapeline/testing/programs/s3-server'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { createDeps } from '../src/deps.ts'
import { migrations } from '../src/migrations/all.ts'
import type { Tables } from '../src/tables.ts'
import { LAKE_INSTRUMENT, SECONDS_PER_DAY } from './busy-market.ts'
import { measureClickHouse } from './clickhouse-pages.ts'
import { drawPages } from './draw-pages.ts'
import { measureDuckDb } from './duckdb-pages.ts'
import { fillLake, fillTable, type Filled, firstDays } from './fill-lake.ts'
import { registerDays } from './fill-queries.ts'
import { measureStream } from './lake-stream.ts'
import { type Case, measurePages, PAGE_ROWS, startServer } from './lake-pages.ts'

// What does a page of 1,000 trades cost, from the lake and from PostgreSQL? The service in a separate process, over HTTP.
// --folder keeps the lake: an interrupted fill continues there, and a filled lake is measured again without filling.

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000000' },
    'table-rows': { type: 'string', default: '20000000' },
    pages: { type: 'string', default: '300' },
    folder: { type: 'string' },
    'fill-only': { type: 'boolean', default: false },
    /** Measures the lake of an interrupted fill instead of continuing it. */
    'as-filled': { type: 'boolean', default: false },
    out: { type: 'string', default: 'docs/benchmarks/lake.json' },
  },
})
const DUCKDB_PAGES = 30
const log = (line: string) => process.stderr.write(`${line}\n`)
const rowsTotal = values['as-filled'] ? 0 : Number(values.rows)
const pages = Number(values.pages)
const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'tapeline-lake-bench-')))

try {
  const filled = await fillLake({ folder, rows: rowsTotal, log: (line) => log(`lake: ${line}`) })
  const perRow = ((1e6 * filled.cpuSeconds) / filled.rows).toFixed(2)
  log(`lake: ${filled.rows} rows in ${(filled.seconds / 60).toFixed(1)} min, ${perRow} µs of CPU a row`)
  if (!values['fill-only']) await measure(filled)
} finally {
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true })
}

async function measure(filled: Filled): Promise<void> {
  const database = await openTestDatabase<Tables>(migrations)
  try {
    const deps = createDeps(database.pool, () => new Date(), 'a secret of at least 32 characters')
    const table = await fillTable(deps, Number(values['table-rows']))
    log(`PostgreSQL: ${table.rows} rows in ${Math.round(table.seconds)} s`)
    const measured = []
    let registered = 0
    for (const rows of sizesOf(filled)) {
      const { days, ...lake } = firstDays(filled, rows)
      await registerDays(database.pool, LAKE_INSTRUMENT, days.slice(registered))
      registered = days.length
      log(`lake: ${lake.rows} rows, ${(lake.bytes / lake.rows).toFixed(2)} bytes a row`)
      const { figures, stream } = await measureService(database, days.length * SECONDS_PER_DAY, table.spanSeconds)
      const bucket = await measureBucket(database, days.length * SECONDS_PER_DAY)
      const others = [await duckDb(days.length), clickHouse(days.length)].filter((one) => one !== undefined)
      measured.push({ lake: { ...lake, days: days.length }, pages: [...figures, ...bucket, ...others], stream })
      write({ table, fill: fillOf(filled), measured })
      writeFileSync(values.out.replace(/\.json$/, '.svg'), drawPages(measured))
    }
  } finally {
    await database.drop()
  }
}

/** Figures of the whole fill, also if it took several runs. */
function fillOf({ rows, seconds, cpuSeconds }: Filled) {
  return { rows, seconds: Math.round(seconds), cpuMicrosPerRow: Number(((1e6 * cpuSeconds) / rows).toFixed(2)) }
}

/** Each power of ten up to what is filled, and that. */
function sizesOf({ rows }: Filled): number[] {
  return [1e6, 1e7, 1e8, 1e9].filter((size) => size < 0.9 * rows).concat(rows)
}

type Database = Awaited<ReturnType<typeof openTestDatabase<Tables>>>

async function measureService({ url, pool }: Database, lakeSpan: number, tableSpan: number) {
  const server = await startServer(url, { LAKE_URL: `file:${folder}` })
  const figures = []
  try {
    for (const one of casesOf(lakeSpan, tableSpan)) {
      const found = await measurePages(server, pool, { ...one, pages })
      log(JSON.stringify(found))
      figures.push(found)
    }
    const stream = await measureStream(server, 'BTC-USDT')
    log(JSON.stringify(stream))
    return { figures, stream }
  } finally {
    server.child.kill()
  }
}

/** The same files behind an S3 server on this machine, without the decoded pages of the measurements before. */
async function measureBucket({ url, pool }: Database, spanSeconds: number) {
  const program = findS3Server()
  if (program === undefined) return (log(WITHOUT_S3_SERVER), [])
  const s3 = await startS3Server(program, folder)
  const server = await startServer(url, s3.config)
  const figures = []
  try {
    for (const clients of [1, 8]) {
      for (const way of ['walking', 'random place'] as const) {
        const one = { source: 'bucket', symbol: 'BTC-USDT', spanSeconds, way, clients, pages, storePid: s3.pid() }
        const found = await measurePages(server, pool, one)
        log(JSON.stringify(found))
        figures.push(found)
      }
    }
    return figures
  } finally {
    server.child.kill()
    await s3.stop()
  }
}

function casesOf(lakeSpan: number, tableSpan: number): Case[] {
  const sources = [
    { source: 'lake', symbol: 'BTC-USDT', spanSeconds: lakeSpan },
    { source: 'postgresql', symbol: 'ETH-USDT', spanSeconds: tableSpan },
  ]
  return [1, 8, 32].flatMap((clients) =>
    sources.flatMap((one): Case[] => [
      { ...one, way: 'walking', clients },
      { ...one, way: 'random place', clients },
    ]),
  )
}

async function duckDb(days: number) {
  const figures = await measureDuckDb(folder, days, DUCKDB_PAGES)
  log(JSON.stringify(figures))
  return figures
}

function clickHouse(days: number) {
  const figures = measureClickHouse(folder, days, DUCKDB_PAGES)
  log(figures === undefined ? 'ClickHouse is not measured: there is no python3' : JSON.stringify(figures))
  return figures
}

/** After each size, so that a run that ends early has measured something. */
function write(result: object): void {
  mkdirSync(dirname(values.out), { recursive: true })
  const about = { at: new Date().toISOString(), machine: machine(), pageRows: PAGE_ROWS }
  writeFileSync(values.out, `${JSON.stringify({ ...about, ...result }, null, 2)}\n`)
}

function machine() {
  return { cpu: cpus()[0]?.model ?? '', cores: availableParallelism(), load: loadavg()[0], node: process.version }
}
