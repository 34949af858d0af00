import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '@tapeline/objects/object-store'
import { dataFolder } from '../folders.ts'
import { readPorts } from '../ports/ports.ts'
import { readArguments } from '../processes/read-arguments.ts'
import { readSecrets } from '../secrets.ts'
import { StartProblem } from '../start-problem.ts'
import { type Archive, faultOf, findArchive, openArchive } from './archive.ts'
import { listBackups, type Manifest } from './base-backups.ts'
import { megabytes } from './megabytes.ts'
import { restoreBackup } from './restore-backup.ts'
import { takeBackup } from './take-backup.ts'

// npm run backup [-- --list]: a base backup of the running platform into BACKUP_DIR or BACKUP_URL, or a list of them.
// npm run restore -- [--to <time>] [--from <folder or address>]: into TAPELINE_DIR.
const USAGE = `Usage: npm run backup [-- --list]
       npm run restore -- [--to <time>] [--from <folder or URL>]

  backup   archives a base backup of the running platform; --list shows those in the archive
  restore  restores all databases into TAPELINE_DIR, which must not contain a platform; --to restores the state at a time such as 2026-11-26T12:00:00Z

BACKUP_DIR or BACKUP_URL is the archive (docs/backup.md).
`
const options = { to: { type: 'string' }, from: { type: 'string' }, list: { type: 'boolean', default: false } } as const

const dir = dataFolder()
const print = (text: string): void => void process.stdout.write(`${text}\n`)
const { values, positionals } = readArguments(USAGE, options, 1)
try {
  const archive = values.from ? openArchive(values.from, process.env) : findArchive(process.env)
  if (archive === undefined)
    throw new StartProblem(
      'Neither BACKUP_DIR nor BACKUP_URL is set.',
      'Set one to the folder or bucket of the backups (docs/backup.md).',
    )
  if (positionals[0] === 'restore') await restore(archive)
  else await (values.list ? list(archive) : backup(archive))
} catch (error) {
  process.stderr.write(`${lineOf(error)}\n`)
  process.exitCode = 1
}

async function backup(archive: Archive): Promise<void> {
  if (!existsSync(join(dir, 'postgres')))
    throw new StartProblem(`${dir} has no PostgreSQL.`, 'Set TAPELINE_DIR to the folder of the running platform.')
  const databaseUrl = `postgres://postgres:${readSecrets(dir).postgresPassword}@127.0.0.1:${readPorts(process.env).postgres}`
  print(`written to ${archive.url}: ${describe(await takeBackup({ databaseUrl, dir, archive, report: print }))}`)
}

async function list({ url, store }: Archive): Promise<void> {
  const { complete, incomplete } = await listBackups(store)
  if (complete.length === 0) print(`${url} has no complete base backup`)
  for (const manifest of complete) print(describe(manifest))
  for (const { folder, bytes } of incomplete)
    print(`${folder}: ${megabytes(bytes)} of a backup that was interrupted or is still running`)
}

async function restore(archive: Archive): Promise<void> {
  const to = values.to === undefined ? undefined : new Date(values.to)
  if (to !== undefined && Number.isNaN(to.getTime()))
    throw new StartProblem('--to is not a valid time.', 'Example: 2026-11-26T12:00:00Z.')
  await restoreBackup({ archive, dir, to, report: print })
  print(`restored to ${to?.toISOString() ?? 'the end of the archive'} in ${dir}`)
  print('npm start starts it; then run npm run backup, so that later restores replay less')
}

function describe({ restorable_from, first_segment, parts }: Omit<Manifest, 'format'>): string {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  const count = `${parts.length} ${parts.length === 1 ? 'part' : 'parts'}`
  return `${restorable_from}  ${megabytes(bytes)} in ${count}, WAL from ${first_segment}`
}

function lineOf(error: unknown): string {
  if (error instanceof StartProblem) return error.line
  if (error instanceof StoreError) return `The archive cannot be used: ${faultOf(error)}.`
  if (!(error instanceof Error)) return String(error)
  const isRefused = 'code' in error && error.code === 'ECONNREFUSED'
  return isRefused ? `PostgreSQL in ${dir} is not running. Start the platform with npm start.` : error.message
}
