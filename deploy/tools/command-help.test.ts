import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const REPOSITORY = join(import.meta.dirname, '..', '..')
const TIMEOUT_MS = 60_000

test.each([
  ['services/market-data/src/lake-command.ts'],
  ['services/audit/src/verify-statement-command.ts'],
  ['deploy/tools/scan-keys.ts'],
  ['deploy/local/migrate.ts'],
  ['deploy/local/doctor.ts'],
  ['deploy/local/backup/backup.ts', 'backup'],
  ['deploy/local/backup/backup.ts', 'restore'],
])('%s prints its usage for --help', { timeout: TIMEOUT_MS }, (...command) => {
  const { status, stdout } = spawnSync(process.execPath, [...command, '--help'], { cwd: REPOSITORY, encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^Usage: npm run /) })
})
