import { readFileSync } from 'node:fs'
import type { ImportedKeys } from '@tapeline/contracts/api-key/imports'
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
      const command = isDryRun ? 'rehearse-import' : 'import'
      addTo(summary, await importForAccount(sessions, { account, keys: ofAccount, command }))
    }
  } finally {
    await Promise.all(Object.values(sessions).map((session) => session.close()))
  }
  return summary
}

async function importForAccount(
  { identity, config, 'api-key': apiKey }: Sessions,
  { account, keys, command }: { account: string; keys: AccountKey[]; command: string },
): Promise<Summary> {
  const summary: Summary = { imported: 0, existed: 0, failed: 0, accounts: 1 }
  const report = (key: AccountKey, result: { outcome: string; id?: string; code?: string; message?: string }) => {
    if (result.outcome === 'imported' || result.outcome === 'existed') summary[result.outcome] += 1
    else summary.failed += 1
    process.stdout.write(`${JSON.stringify({ line: key.line, account, name: key.key.name, ...result })}\n`)
  }
  try {
    const { account_id: id, status } = await identity.run(['show', account])
    if (status !== 'active') throw new Error(`The account ${account} is ${String(status)}.`)
    const { tier } = await config.run(['show', String(id)])
    for (let n = 0; n < keys.length; n += KEYS_PER_COMMAND) {
      const batch = keys.slice(n, n + KEYS_PER_COMMAND)
      const body = JSON.stringify({ keys: batch.map(({ key }) => key) })
      // The answer of the service's own command.
      const answer = (await apiKey.run([command, String(id), String(tier), body])) as ImportedKeys
      for (const [index, one] of batch.entries()) {
        const { outcome = 'failed', key, code, message } = answer.keys[index] ?? {}
        report(one, {
          outcome,
          ...(key && command === 'import' ? { id: key.id } : {}),
          ...(code ? { code } : {}),
          ...(message ? { message } : {}),
        })
      }
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const done = summary.imported + summary.existed + summary.failed
    for (const one of keys.slice(done)) report(one, { outcome: 'failed', message })
  }
  return summary
}

function addTo(sum: Summary, part: Summary): void {
  for (const field of ['imported', 'existed', 'failed', 'accounts'] as const) sum[field] += part[field]
}
