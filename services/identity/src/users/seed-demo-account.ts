import type { DemoAccount } from '@tapeline/service/demo-accounts'
import type { Deps } from '../deps.ts'
import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import { insertAccount } from './insert-account.ts'
import { newUserRow } from './new-user-row.ts'
import { findUserByEmail, replacePasswordHash } from './user-queries.ts'

/**
 * Creates a demo account. Idempotent: an existing account keeps everything, except a password that differs from the
 * file.
 */
export async function seedDemoAccount(
  deps: Pick<Deps, 'db' | 'now' | 'newId' | 'passwords'>,
  account: DemoAccount,
): Promise<void> {
  const found = await findUserByEmail(deps.db, canonicalEmail(account.email))
  if (found !== undefined && (await deps.passwords.verify(found.password_hash, account.password))) return
  const passwordHash = await deps.passwords.hash(account.password)
  if (found !== undefined) {
    await replacePasswordHash(deps.db, found.id, { from: found.password_hash, to: passwordHash })
    return
  }
  const row = {
    ...newUserRow(account, { id: account.id, now: deps.now(), passwordHash }),
    email_verified: true,
    role: account.role,
  }
  await deps.db
    .transaction()
    .execute((trx) => insertAccount(trx, deps, { kind: 'service', service: 'identity' }, { row, tier: account.tier }))
}
