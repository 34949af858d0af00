import type { WebhookDeps } from '../webhook-deps.ts'
import { listSecrets, replaceSecrets } from './endpoint-queries.ts'

const PAGE_ROWS = 500
const NAMED_MAX = 5

type Vault = WebhookDeps['vault']
type Row = Awaited<ReturnType<typeof listSecrets>>[number]

/**
 * Job. Encrypts secrets again that an older key encrypted: that key can then be removed from WEBHOOK_KEYS. Idempotent.
 * @returns how many endpoints changed
 * @throws after all endpoints, when a key of some of them is missing
 */
export async function reencryptSecrets({ db, vault }: Pick<WebhookDeps, 'db' | 'vault'>): Promise<number> {
  const failed: string[] = []
  let cause: unknown
  let changed = 0
  let after: string | undefined
  for (;;) {
    const rows = await listSecrets(db, after, PAGE_ROWS)
    for (const row of rows.filter((one) => !isCurrent(vault, one))) {
      let secrets: Omit<Row, 'id'>
      try {
        secrets = encryptedAgain(vault, row)
      } catch (error) {
        failed.push(row.id)
        cause = error
        continue
      }
      await replaceSecrets(db, row, secrets)
      changed += 1
    }
    after = rows.at(-1)?.id
    if (rows.length < PAGE_ROWS) break
  }
  if (failed.length > 0) throw new Error(failureOf(failed), { cause })
  return changed
}

function isCurrent(vault: Vault, row: Row): boolean {
  return secretsOf(row).every((secret) => secret === null || vault.isCurrent(secret))
}

function secretsOf({ encrypted_secret, previous_encrypted_secret, oldest_encrypted_secret }: Row) {
  return [encrypted_secret, previous_encrypted_secret, oldest_encrypted_secret]
}

function encryptedAgain(vault: Vault, row: Row): Omit<Row, 'id'> {
  const again = (encrypted: Buffer) => vault.encrypt(vault.decrypt(encrypted))
  const { previous_encrypted_secret: previous, oldest_encrypted_secret: oldest } = row
  return {
    encrypted_secret: again(row.encrypted_secret),
    previous_encrypted_secret: previous && again(previous),
    oldest_encrypted_secret: oldest && again(oldest),
  }
}

function failureOf(ids: readonly string[]): string {
  return `webhook secrets could not be encrypted again; endpoints (${ids.length}): ${ids.slice(0, NAMED_MAX).join(', ')}`
}
