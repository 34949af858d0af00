import { parseArgs } from 'node:util'
import { dataFolder } from '../folders.ts'
import { readPorts } from '../ports/ports.ts'
import { readSecrets } from '../secrets.ts'
import { StartProblem } from '../start-problem.ts'
import { restoreBackup } from './restore-backup.ts'
import { takeBackup } from './take-backup.ts'

// npm run backup: a base backup of the running platform into BACKUP_DIR. npm run restore -- --to <time> [--from <folder>]: into TAPELINE_DIR.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: 'string' }, from: { type: 'string', default: process.env.BACKUP_DIR ?? '' } },
})
const dir = dataFolder()
try {
  if (values.from === '') throw new StartProblem('BACKUP_DIR is not set.', 'Set it to the folder of the backups.')
  process.stdout.write(`${positionals[0] === 'restore' ? await restore() : await backup()}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof StartProblem ? error.line : String(error)}\n`)
  process.exitCode = 1
}

async function backup(): Promise<string> {
  const databaseUrl = `postgres://postgres:${readSecrets(dir).postgresPassword}@127.0.0.1:${readPorts(process.env).postgres}`
  return `written to ${await takeBackup({ databaseUrl, dir, archiveDir: values.from })}`
}

async function restore(): Promise<string> {
  const to = values.to === undefined ? undefined : new Date(values.to)
  if (to !== undefined && Number.isNaN(to.getTime()))
    throw new StartProblem('--to is no time.', 'It reads 2026-11-26T12:00:00Z.')
  await restoreBackup({ archiveDir: values.from, dir, to })
  return `restored to ${to?.toISOString() ?? 'the end of the archive'} in ${dir}; npm start starts it`
}
