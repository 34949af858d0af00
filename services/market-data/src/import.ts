import { parseArgs } from 'node:util'
import { COMMAND_CONNECT_TIMEOUT_MS, connectDatabase, createPool } from '@tapeline/database/connect'
import { runCommand, UsageError } from '@tapeline/service/process/run-command'
import { findDatabase } from './importers/find-database.ts'
import { findLake, isLakeOfDatabase } from './importers/find-lake.ts'
import type { FileToImport } from './importers/import-file.ts'
import { importFiles } from './importers/import-files.ts'
import { kinds, kindsWith } from './importers/kinds.ts'
import { readMapping } from './importers/mapped/mapping.ts'
import { prepareFiles } from './importers/prepare-files.ts'
import { createProgressBar } from './importers/progress-bar.ts'
import { count, describeFile, type FileSummary } from './importers/summary.ts'
import { createLake } from './lake/lake.ts'
import type { Tables } from './tables.ts'

/** Kinds that only a mapping file adds. */
const MAPPED = new Set(['csv', 'parquet'])
const STATEMENT_TIMEOUT_MS = 30_000
const LAKE_MEMORY_BYTES = 64 * 1024 * 1024

const options = {
  'database-url': { type: 'string' },
  mapping: { type: 'string' },
  json: { type: 'boolean' },
} as const

const USAGE = `Usage: npm run import -- [<kind>] <files…> [--mapping <file>] [--json] [--database-url <postgres URL>]

${kinds.map(({ name, description }) => `  ${name.padEnd(18)}${description}`).join('\n')}
  csv, parquet      any columns, described by --mapping <JSON file>

Without a kind, it is detected from the content of each file. Files may be packed (.gz, .zst, .zip) and are read in the
order given. A file of another kind is rejected before anything is stored. Records that are already stored are skipped:
to resume a stopped import, start it again. --json prints the summary as one JSON document.
Exit code 1: a file was rejected, or lines were left out. docs/importing.md describes every kind.
The database is that of the platform running from TAPELINE_DIR (.tapeline); --database-url or DATABASE_URL name another.
`

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const prepared = await prepareNamed(positionals, values.mapping)
  const databaseOption = values['database-url'] ?? process.env.DATABASE_URL
  const summaries = await importAll(prepared, {
    url: findDatabase(databaseOption, process.env),
    lakeBefore: isLakeOfDatabase(databaseOption, process.env) ? new Date() : undefined,
    onFile: (summary) => void (values.json === true || process.stdout.write(describeFile(summary))),
  })
  process.stdout.write(values.json === true ? `${JSON.stringify({ files: summaries })}\n` : describeAll(summaries))
  return summaries.some(({ refused }) => refused.count > 0) ? 1 : 0
}

/** Of the operands `[<kind>] <files…>`. */
async function prepareNamed(words: string[], mapping: string | undefined): Promise<FileToImport[]> {
  const [first = ''] = words
  if (MAPPED.has(first) && mapping === undefined)
    throw new UsageError(`${first} needs --mapping <file>, which describes its columns.`)
  const known = kindsWith(mapping === undefined ? undefined : await readMapping(mapping))
  const kind = known.find(({ name }) => name === first)
  const files = kind === undefined ? words : words.slice(1)
  if (files.length === 0) throw new UsageError('Specify one or more files.')
  return prepareFiles(known, kind, files)
}

type Order = { url: string; lakeBefore: Date | undefined; onFile: (summary: FileSummary) => void }

async function importAll(files: readonly FileToImport[], { url, lakeBefore, onFile }: Order): Promise<FileSummary[]> {
  const pool = createPool({
    url,
    connectionsMax: 3,
    applicationName: 'import',
    connectTimeoutMs: COMMAND_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  const lake = createLake(pool, findLake(process.env), LAKE_MEMORY_BYTES)
  const progressOf = ({ source }: FileToImport) => createProgressBar(process.stderr, source.file, source.sizeBytes)
  const deps = { pool, db: connectDatabase<Tables>(pool), lake, lakeBefore }
  return importFiles(deps, files, { progressOf, onFile }).finally(() => pool.end())
}

function describeAll(summaries: readonly FileSummary[]): string {
  const channels = summaries.flatMap(({ trades, l2_events }) => [trades, l2_events])
  const added = channels.reduce((sum, channel) => sum + channel.added, 0)
  const found = channels.reduce((sum, channel) => sum + channel.found, 0)
  if (added === 0) return `No new records: all ${count(found)} were already stored.\n`
  return `${count(added)} records added.\n`
}

await runCommand({ name: 'import', usage: USAGE, run })
