import type { WebhookDeps } from '../webhook-deps.ts'
import { listSecrets, replaceSecrets } from './endpoint-queries.ts'

const PAGE_ROWS = 500

/**
 * Job. Encrypts secrets again that an older key encrypted: that key can then be removed from WEBHOOK_KEYS. Idempotent.
 * @returns how many endpoints changed
 */
export async function reencryptSecrets({ db, vault }: Pick<WebhookDeps, 'db' | 'vault'>): Promise<number> {
  let changed = 0
  let after: string | undefined
  const again = (encrypted: Buffer) => vault.encrypt(vault.decrypt(encrypted))
  for (;;) {
    const rows = await listSecrets(db, after, PAGE_ROWS)
    for (const row of rows) {
      const { encrypted_secret: secret, previous_encrypted_secret: previous } = row
      if (vault.isCurrent(secret) && (previous === null || vault.isCurrent(previous))) continue
      await replaceSecrets(db, row, {
        encrypted_secret: again(secret),
        previous_encrypted_secret: previous === null ? null : again(previous),
      })
      changed += 1
    }
    after = rows.at(-1)?.id
    if (rows.length < PAGE_ROWS) return changed
  }
}
