import { parseArgs } from 'node:util'
import { COMMAND_CONNECT_TIMEOUT_MS, createPool } from '@tapeline/database/connect'
import { runCommand, UsageError } from '@tapeline/service/process/run-command'
import type pg from 'pg'
import { findDatabase } from './importers/find-database.ts'
import { findLake } from './importers/find-lake.ts'
import { createLake } from './lake/lake.ts'
import { listNamedFiles, type NamedFile, placeOfFile } from './lake/list-files-queries.ts'
import type { Stores } from './lake/reading/list-stored-rows.ts'
import { resealDay } from './lake/reseal-day.ts'
import { verifyFile } from './lake/verify-file.ts'
import { dayOf, dayStart, formatRfc3339, parseTime } from './nanoseconds.ts'
import type { ChannelName } from './tables.ts'

const STATEMENT_TIMEOUT_MS = 60_000
const MEMORY_BYTES = 64 * 1024 * 1024
const FILES_PER_READ = 500
const USAGE = `Usage: npm run lake -- <list | verify | reseal> [--venue <name>] [--symbol <name>]
                     [--channel <trade | l2_event>] [--from <date>] [--to <date>]
       npm run lake -- import [<kind>] <files…> [<options of npm run import>]

  list    prints the current files: key, rows, bytes, revision
  verify  reads every file completely and compares size, SHA-256 and rows with the manifest; prints damaged files and exits with 1
  reseal  rewrites the files, each as its next revision; needs --venue and --symbol
  import  writes recorded files of past days into the lake, as npm run import does

The database and the lake are those of the platform running from TAPELINE_DIR (.tapeline); DATABASE_URL and LAKE_URL
(with LAKE_ACCESS_KEY_ID and LAKE_SECRET_ACCESS_KEY) name others. --from and --to are inclusive.
`
const options = {
  venue: { type: 'string' },
  symbol: { type: 'string' },
  channel: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const

type Outcome = { line: string; isFault: boolean }
type Work = (stores: Stores, file: NamedFile) => Promise<Outcome>

const COMMANDS: Record<string, Work> = { list: describe, verify, reseal }

function readOrder(args: string[]): { work: Work; filter: FileFilter } {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const { venue, symbol } = values
  const [command = '', extra] = positionals
  const work = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (work === undefined) throw new UsageError(command === '' ? 'Name a command.' : `There is no command ${command}.`)
  if (extra !== undefined) throw new UsageError(`${extra} is not an option. Use --venue, --symbol, --from and --to.`)
  if (work === reseal && (venue === undefined || symbol === undefined))
    throw new UsageError('reseal needs --venue and --symbol.')
  const channel = channelOf(values.channel)
  return { work, filter: { venue, symbol, channel, from: dayIn(values.from), to: dayIn(values.to) } }
}

async function run(args: string[]): Promise<number> {
  const order = readOrder(args)
  const pool = createPool({
    url: findDatabase(process.env.DATABASE_URL, process.env),
    connectionsMax: 2,
    applicationName: 'lake',
    connectTimeoutMs: COMMAND_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  const stores = { pool, lake: createLake(pool, findLake(process.env), MEMORY_BYTES) }
  let files = 0
  let faults = 0
  try {
    for await (const file of filesOf(pool, order.filter)) {
      const { line, isFault } = await order.work(stores, file)
      process.stdout.write(`${line}\n`)
      files += 1
      if (isFault) faults += 1
    }
  } finally {
    await pool.end()
  }
  process.stdout.write(`${files} files${faults === 0 ? '' : `, ${faults} damaged`}\n`)
  return faults === 0 ? 0 : 1
}

type FileFilter = Omit<Parameters<typeof listNamedFiles>[1], 'limit' | 'after'>

async function* filesOf(pool: pg.Pool, filter: FileFilter): AsyncGenerator<NamedFile> {
  let last: NamedFile | undefined
  for (;;) {
    const after = last && placeOfFile(last)
    const files = await listNamedFiles(pool, { ...filter, after, limit: FILES_PER_READ })
    yield* files
    last = files.at(-1)
    if (files.length < FILES_PER_READ) return
  }
}

async function describe(_stores: Stores, { ref, fileRows, revision, isHotDropped }: NamedFile): Promise<Outcome> {
  const place = isHotDropped ? 'lake' : 'lake and PostgreSQL'
  return { line: `${ref.key}  ${fileRows} rows  ${ref.bytes} bytes  revision ${revision}  ${place}`, isFault: false }
}

async function verify({ lake }: Stores, file: NamedFile): Promise<Outcome> {
  const fault = await verifyFile(lake.store, file)
  return { line: `${file.ref.key}  ${fault ?? 'ok'}`, isFault: fault !== undefined }
}

/** Days that share a file get files of their own. */
async function reseal(stores: Stores, { ref, instrumentId, days }: NamedFile): Promise<Outcome> {
  const outcomes: string[] = []
  for (const day of days) {
    const outcome = await resealDay(stores, { instrumentId, channel: ref.channel, day })
    outcomes.push(`${ref.channel} ${formatRfc3339(String(dayStart(day))).slice(0, 10)}  ${outcome}`)
  }
  return { line: outcomes.join('\n'), isFault: false }
}

/** Also by the names that the API has. */
function channelOf(text: string | undefined): ChannelName | undefined {
  if (text === undefined || text === 'trade' || text === 'l2_event') return text
  if (text === 'trades') return 'trade'
  if (text === 'l2events') return 'l2_event'
  throw new UsageError(`--channel is trade or l2_event, not ${text}.`)
}

function dayIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (time === undefined) throw new UsageError(`${text} is not a date such as 2026-01-02.`)
  return dayOf(String(time))
}

const IMPORT_AT = 2

if (process.argv[IMPORT_AT] === 'import') {
  process.argv.splice(IMPORT_AT, 1)
  await import('./import.ts')
} else {
  await runCommand({ name: 'lake', usage: USAGE, run })
}
