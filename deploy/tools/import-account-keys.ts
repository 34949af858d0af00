import { readFileSync } from 'node:fs'
import type { ImportedKeys, ImportOutcome } from '@tapeline/contracts/api-key/imports'
import { type AdminSession, openAdminSession } from '../local/admin-session.ts'
import { findAddresses } from '../local/find-addresses.ts'
import type { ServiceName } from '../local/secrets.ts'
import { type AccountKey, readAccountKeys } from './read-account-keys.ts'

const KEYS_PER_COMMAND = 100
type Summary = { imported: number; existed: number; failed: number; accounts: number }
type Sessions = Record<'identity' | 'config' | 'api-key', AdminSession>

/**
 * Imports keys of many accounts with the databases of the platform, as an operator: no account has to sign in. One JSON
 * line per key. A dry run writes nothing. Idempotent: keys that an account has stay as they are.
 */
export async function importAccountKeys(
  file: string,
  { isDryRun, env = process.env }: { isDryRun: boolean; env?: NodeJS.ProcessEnv },
): Promise<Summary> {
  const { keys, skipped } = readAccountKeys(readFileSync(file, 'utf8'))
  for (const reason of skipped) process.stderr.write(`skipped ${reason}\n`)
  const open = (service: ServiceName) => openAdminSession(service, findAddresses(service, env))
  const sessions = { identity: open('identity'), config: open('config'), 'api-key': open('api-key') }
  const summary: Summary = { imported: 0, existed: 0, failed: skipped.length, accounts: 0 }
  try {
    for (const [account, ofAccount] of Map.groupBy(keys, ({ account: name }) => name.toLowerCase())) {
      const command = isDryRun ? ('rehearse-import' as const) : ('import' as const)
      addTo(summary, await importForAccount(sessions, { account, keys: ofAccount, command }))
    }
  } finally {
    await Promise.all(Object.values(sessions).map((session) => session.close()))
  }
  return summary
}

type Result = { outcome: string; id?: string; code?: string; message?: string }
type AccountImport = { account: string; keys: AccountKey[]; command: 'import' | 'rehearse-import' }

async function importForAccount(sessions: Sessions, request: AccountImport): Promise<Summary> {
  const summary: Summary = { imported: 0, existed: 0, failed: 0, accounts: 1 }
  const { account, keys } = request
  const results = await resultsOf(sessions, request)
  for (const [index, { line, key }] of keys.entries()) {
    const result = results[index] ?? { outcome: 'failed' }
    if (result.outcome === 'imported' || result.outcome === 'existed') summary[result.outcome] += 1
    else summary.failed += 1
    process.stdout.write(`${JSON.stringify({ line, account, name: key.name, ...result })}\n`)
  }
  return summary
}

/** One result per key; if an account cannot have keys, all of its keys fail and the import continues with the next account. */
async function resultsOf(sessions: Sessions, { account, keys, command }: AccountImport): Promise<Result[]> {
  const results: Result[] = []
  try {
    const { account_id: id, status } = await sessions.identity.run(['show', account])
    if (status !== 'active') throw new Error(`The account ${account} is ${String(status)}.`)
    const { tier } = await sessions.config.run(['show', String(id)])
    while (results.length < keys.length) {
      const batch = keys.slice(results.length, results.length + KEYS_PER_COMMAND)
      const body = JSON.stringify({ keys: batch.map(({ key }) => key) })
      // The answer of the service's own command.
      const answer = (await sessions['api-key'].run([command, String(id), String(tier), body])) as ImportedKeys
      results.push(...answer.keys.map((one) => (command === 'import' ? presentImported(one) : withoutKey(one))))
    }
    return results
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [...results, ...keys.slice(results.length).map(() => ({ outcome: 'failed', message }))]
  }
}

function presentImported(one: ImportOutcome): Result {
  return one.key === undefined ? withoutKey(one) : { ...withoutKey(one), id: one.key.id }
}

/** A key of a rehearsal does not exist afterwards. */
function withoutKey({ key: _key, ...result }: ImportOutcome): Result {
  return result
}

function addTo(sum: Summary, part: Summary): void {
  for (const field of ['imported', 'existed', 'failed', 'accounts'] as const) sum[field] += part[field]
}
