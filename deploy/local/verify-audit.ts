import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findAddresses } from './find-addresses.ts'
import { dataFolder, REPOSITORY } from './folders.ts'
import { lakeFolder } from './processes/process-environment.ts'
import { readSecrets } from './secrets.ts'
import { StartProblem } from './start-problem.ts'

// npm run verify-audit: verifies the audit trail of the platform that runs from TAPELINE_DIR, or of the database and the
// object store that DATABASE_URL and LAKE_URL name.
const COMMAND = join(REPOSITORY, 'services', 'audit', 'src', 'verify-trail-command.ts')

const words = process.argv.slice(2)
const isHelp = words.includes('--help') || words.includes('-h')

try {
  const dir = dataFolder(process.env)
  const { databaseUrl } = isHelp ? { databaseUrl: '' } : findAddresses('audit', process.env)
  const keys = existsSync(join(dir, 'secrets.json')) ? { EVIDENCE_KEYS: readSecrets(dir).evidenceKey } : {}
  const env = { ...keys, ...process.env, ...lakeFolder(dir), DATABASE_URL: databaseUrl }
  process.exitCode = spawnSync(process.execPath, [COMMAND, ...words], { env, stdio: 'inherit' }).status ?? 1
} catch (error) {
  if (!(error instanceof StartProblem)) throw error
  process.stderr.write(`${error.line}\n`)
  process.exitCode = 1
}
