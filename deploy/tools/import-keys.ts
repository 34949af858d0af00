import { readFileSync } from 'node:fs'
import type { ImportedKey, ImportedKeys } from '@tapeline/contracts/api-key/imports'
import { StartProblem } from '../local/start-problem.ts'
import { importAccountKeys } from './import-account-keys.ts'
import { readExportedKeys, type Source, SOURCES } from './read-exported-keys.ts'

// Imports keys of another gateway by their hashes, so that clients keep their keys. One JSON line per key. Exit code 1 when
// a key was not imported, 2 for wrong use. `accounts`: for an operator, who has the databases of the platform.
const USAGE = `Usage:
  TAPELINE_URL=… TAPELINE_SERVICE_KEY=… npm run import-keys -- ${SOURCES.join('|')} <export>
      into the account of the service key (scope keys:write)
  npm run import-keys -- accounts <file.csv|file.json> [--dry-run]
      into the account that each row names by e-mail address or id; see npm run admin -- --help for the databases
`
const KEYS_PER_CALL = 100
const TIMEOUT_MS = 60_000

const { TAPELINE_URL = 'http://localhost:3001', TAPELINE_SERVICE_KEY } = process.env
const [from, file, option] = process.argv.slice(2)
const source = SOURCES.find((one) => one === from)
if (from === 'accounts' && file !== undefined && (option === undefined || option === '--dry-run')) {
  process.exitCode = await importForAccounts(file, option !== undefined)
} else if (from === '--help' || from === '-h') {
  process.stdout.write(USAGE)
} else if (source === undefined || file === undefined || option !== undefined) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else if (TAPELINE_SERVICE_KEY === undefined) {
  process.stderr.write('Set TAPELINE_SERVICE_KEY to a service key with the scope keys:write.\n')
  process.exitCode = 2
} else {
  process.exitCode = await importIntoAccount(source, file, TAPELINE_SERVICE_KEY)
}

async function importIntoAccount(kind: Source, path: string, token: string): Promise<number> {
  try {
    return (await importFile(kind, path, token)) === 0 ? 0 : 1
  } catch (error) {
    process.stderr.write(`${lineOf(error)}\n`)
    return 1
  }
}

/** `fetch` fails with the reason as its cause. */
function lineOf(error: unknown): string {
  if (error instanceof StartProblem) return error.line
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOENT') return `There is no file ${file}.`
  const reason = error.cause instanceof Error ? `: ${error.cause.message.split('\n')[0]}` : ''
  return error instanceof TypeError ? `No response from ${TAPELINE_URL}${reason}` : `${error.message}${reason}`
}

function readExport(kind: Source, path: string): ReturnType<typeof readExportedKeys> {
  const text = readFileSync(path, 'utf8')
  try {
    return readExportedKeys(kind, text)
  } catch (error) {
    throw new Error(`${path} is not an export of ${kind}`, { cause: error })
  }
}

async function importForAccounts(path: string, isDryRun: boolean): Promise<number> {
  try {
    const { imported, existed, failed, accounts } = await importAccountKeys(path, { isDryRun })
    const [verb, note] = isDryRun ? ['would be imported', ' Nothing was changed.'] : ['imported', '']
    process.stderr.write(
      `${imported} ${verb}, ${existed} existed, ${failed} not imported, in ${accounts} accounts.${note}\n`,
    )
    return failed === 0 ? 0 : 1
  } catch (error) {
    process.stderr.write(`${lineOf(error)}\n`)
    return 1
  }
}

/** Returns the number of keys that were not imported. */
async function importFile(kind: Source, path: string, token: string): Promise<number> {
  const { keys, skipped } = readExport(kind, path)
  let [imported, failed] = [0, skipped.length]
  for (const reason of skipped) process.stderr.write(`skipped ${reason}\n`)
  for (let n = 0; n < keys.length; n += KEYS_PER_CALL) {
    const batch = keys.slice(n, n + KEYS_PER_CALL)
    const answer = await send(batch, token)
    imported += answer.imported
    for (const [index, { outcome, key, code, message }] of answer.keys.entries()) {
      if (outcome === 'failed') failed += 1
      const line = { name: batch[index]?.name, outcome, id: key?.id, code, message }
      process.stdout.write(`${JSON.stringify(line)}\n`)
    }
  }
  process.stderr.write(
    `${imported} imported, ${keys.length + skipped.length - imported - failed} existed, ${failed} not imported.\n`,
  )
  return failed
}

async function send(keys: readonly ImportedKey[], token: string): Promise<ImportedKeys> {
  const response = await fetch(`${TAPELINE_URL}/api/v1/internal/api-keys/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ keys }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const body: { data: ImportedKeys; detail?: string } = JSON.parse(await response.text())
  if (!response.ok) throw new Error(`${response.status}: ${body.detail}`)
  return body.data
}
