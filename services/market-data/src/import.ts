import { parseArgs } from 'node:util'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { findDatabase } from './importers/find-database.ts'
import { findLake } from './importers/find-lake.ts'
import { importBinanceSpot, newBinanceState } from './importers/import-binance-spot.ts'
import { importLeanTrade } from './importers/import-lean-trade.ts'
import { ImportProblem } from './importers/import-problem.ts'
import type { ImportDeps, ImportResult } from './importers/import-run.ts'
import { createProgressBar } from './importers/progress-bar.ts'
import { sizeOfFile } from './importers/read-lines.ts'
import { createLake } from './lake/lake.ts'
import type { Tables } from './tables.ts'

const STATEMENT_TIMEOUT_MS = 30_000
const LAKE_MEMORY_BYTES = 64 * 1024 * 1024
const USAGE = `Usage: npm run import -- <format> <files…> [--database-url <postgres URL>]

  binance-spot  recorded frames of one symbol, local_ns {frame} per line, .gz or plain; in the order of the files
  lean-trade    zip files with one CSV of trades each, 20131007_spy_Trade_Tick.csv

The database is that of the platform running from TAPELINE_DIR (.tapeline); --database-url or DATABASE_URL name another.
What is stored already is not stored again.
`

type Importer = (deps: ImportDeps, file: string) => Promise<ImportResult>

function importerOf(format: string | undefined): Importer | undefined {
  const state = newBinanceState()
  if (format === 'binance-spot') return (deps, file) => importBinanceSpot(deps, file, state)
  return format === 'lean-trade' ? importLeanTrade : undefined
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'database-url': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  const [format, ...files] = positionals
  const importer = importerOf(format)
  if (values.help === true || importer === undefined || files.length === 0) {
    process.stderr.write(USAGE)
    return values.help === true ? 0 : 2
  }
  const sizes = await Promise.all(files.map(sizeOfFile))
  const url = findDatabase(values['database-url'] ?? process.env.DATABASE_URL, process.env)
  const pool = createPool({
    url,
    connectionsMax: 2,
    applicationName: 'import',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  const lake = createLake(pool, findLake(process.env), LAKE_MEMORY_BYTES)
  try {
    let found = 0
    let added = 0
    for (const [index, file] of files.entries()) {
      const progress = createProgressBar(process.stderr, file, sizes[index] ?? 0)
      const deps = { db: connectDatabase<Tables>(pool), pool, lake, progress }
      const result = await importer(deps, file).finally(() => progress.end())
      process.stdout.write(`${file}\n${result.lines.map((line) => `  ${line}\n`).join('')}`)
      found += result.found
      added += result.added
    }
    process.stdout.write(
      added === 0 ? `Nothing new: all ${found} records were there already.\n` : `${added} records added.\n`,
    )
    return 0
  } finally {
    await pool.end()
  }
}

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${error instanceof ImportProblem ? error.message : messageOf(error)}\n`)
  process.exitCode = 1
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `import: ${error.message || error.name}` : String(error)
}
