import { canSignIn } from '../account-deletion/can-sign-in.ts'
import type { Deps } from '../deps.ts'
import { exportReadyLetter } from '../mail/account-templates.ts'
import type { Language } from '../mail/language.ts'
import { hashLinkToken, linkTokenOf } from '../mail/link-token.ts'
import type { MailRow } from '../mail/mail-queries.ts'
import type { Letter } from '../mail/templates.ts'
import { lockUser, type UserRow } from '../users/user-queries.ts'
import { findExport, setExportToken } from './export-queries.ts'

type ReadyExport = { row: MailRow; exportId: string; user: UserRow }

/** Also sent after a deletion request, until the account is deleted, but not to a former address. */
export async function writeExportLink(
  deps: Deps,
  { row, exportId, user }: ReadyExport,
): Promise<Record<Language, Letter> | undefined> {
  const expiresAt = (await findExport(deps.db, exportId))?.expires_at ?? null
  if (expiresAt === null || expiresAt <= deps.now()) return undefined
  const token = linkTokenOf({ id: row.id, kind: 'export-ready' }, deps.secret)
  const isWritten = await deps.db.transaction().execute(async (trx) => {
    const locked = await lockUser(trx, user.id)
    if (locked?.email !== row.recipient || !canSignIn(locked, deps.now())) return false
    await setExportToken(trx, exportId, hashLinkToken(token))
    return true
  })
  if (!isWritten) return undefined
  const url = `${deps.webOrigin}/auth/export?token=${token}`
  return exportReadyLetter({ url, expiresAt: expiresAt.toISOString() })
}
