import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { createDeps } from '../src/deps.ts'
import { folderStore } from '@tapeline/objects/folder-store'
import { migrations } from '../src/migrations/all.ts'
import type { Tables } from '../src/tables.ts'
import { measureDuckDb } from './duckdb-pages.ts'
import { fillLake, fillTable, NOTHING_FILLED } from './fill-lake.ts'
import { measureStream } from './lake-stream.ts'
import { measurePages, PAGE_ROWS, startServer } from './lake-pages.ts'

// What does a page of 1,000 trades cost, from the lake and from PostgreSQL? The service in a process of its own, over HTTP.

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000000' },
    'table-days': { type: 'string', default: '3' },
    pages: { type: 'string', default: '300' },
    out: { type: 'string', default: 'docs/benchmarks/lake.json' },
  },
})
const DUCKDB_PAGES = 30
const say = (line: string) => process.stderr.write(`${line}\n`)
/** Measured at each power of ten, and at the end. */
const sizes = [1e6, 1e7, 1e8, 1e9].filter((size) => size < Number(values.rows)).concat(Number(values.rows))

const database = await openTestDatabase<Tables>(migrations)
const folder = await mkdtemp(join(tmpdir(), 'tapeline-lake-bench-'))
const deps = createDeps(database.pool, () => new Date(), 'a secret of at least 32 characters', {
  store: folderStore(folder),
})
const { pool } = database
const pages = Number(values.pages)

try {
  const table = await fillTable(deps, Number(values['table-days']))
  say(`PostgreSQL: ${table.rows} rows in ${Math.round(table.seconds)} s`)
  const measured = []
  let lake = NOTHING_FILLED
  for (const size of sizes) {
    lake = await fillLake(deps, lake, size)
    say(`lake: ${lake.rows} rows in ${Math.round(lake.seconds)} s, ${(lake.bytes / lake.rows).toFixed(2)} bytes a row`)
    const { figures, stream } = await measureService(lake.days, table.days)
    measured.push({ lake, pages: [...figures, await duckDb(lake.days)], stream })
  }
  const result = { at: new Date().toISOString(), machine: machine(), pageRows: PAGE_ROWS, table, measured }
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
} finally {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
}

async function measureService(lakeDays: number, tableDays: number) {
  const server = await startServer(database.url, folder)
  const figures = []
  try {
    for (const clients of [1, 8, 32]) {
      for (const [source, symbol, days] of [
        ['lake', 'BTC-USDT', lakeDays],
        ['postgresql', 'ETH-USDT', tableDays],
      ] as const) {
        for (const way of ['walking', 'random place'] as const) {
          const one = await measurePages(server, pool, { source, symbol, days, way, clients, pages })
          say(JSON.stringify(one))
          figures.push(one)
        }
      }
    }
    const stream = await measureStream(server, 'BTC-USDT')
    say(JSON.stringify(stream))
    return { figures, stream }
  } finally {
    server.child.kill()
  }
}

async function duckDb(days: number) {
  const figures = await measureDuckDb(folder, days, DUCKDB_PAGES)
  say(JSON.stringify(figures))
  return figures
}

function machine() {
  return { cpu: cpus()[0]?.model ?? '', cores: availableParallelism(), load: loadavg()[0], node: process.version }
}
