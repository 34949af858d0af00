import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { ExportFile } from '@tapeline/contracts/identity/account-deletion'
import { accountExportOpened } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { Value } from 'typebox/value'
import type { Transaction } from 'kysely'
import { canSignIn } from '../account-deletion/can-sign-in.ts'
import type { Deps } from '../deps.ts'
import { hashLinkToken } from '../mail/link-token.ts'
import { decrypt } from '@tapeline/service/encryption'
import type { Tables } from '../tables.ts'
import { findUser } from '../users/user-queries.ts'
import { EXPORT_PURPOSE } from './build-export.ts'
import { findReadyExport } from './export-queries.ts'
import { noSuchExport } from './no-such-export.ts'

/** The caller's newest export, or the one of a mailed link, which works without a session. */
export type Opened = { by: 'session'; userId: string } | { by: 'link'; token: string }

/**
 * Publishes an event for each download, so that it appears in the owner's audit trail.
 * @throws AppError account_export.not_found
 */
export async function openExport(deps: Deps, actor: Actor, opened: Opened): Promise<ExportFile> {
  const filter = opened.by === 'session' ? { userId: opened.userId } : { tokenHash: hashLinkToken(opened.token) }
  return deps.db.transaction().execute(async (trx) => {
    const found = await findReadyExport(trx, filter, deps.now())
    if (found === undefined || found.sealed_content === null) throw noSuchExport()
    if (opened.by === 'link' && !(await canOwnerSignIn(trx, deps, found.user_id))) throw noSuchExport()
    const event = newEvent(accountExportOpened, {
      id: deps.newId(),
      time: deps.now(),
      subject: found.user_id,
      account: found.user_id,
      actor,
      data: { user_id: found.user_id, export_id: found.id, by: opened.by },
    })
    await recordEvent(trx, event)
    const text = decrypt({ secret: deps.secret, purpose: EXPORT_PURPOSE }, found.sealed_content)
    return Value.Parse(ExportFile, JSON.parse(text))
  })
}

/** A link must not outlive the deactivation of its account; a session has ended by then. */
async function canOwnerSignIn(trx: Transaction<Tables>, { now }: Pick<Deps, 'now'>, userId: string): Promise<boolean> {
  const owner = await findUser(trx, userId)
  return owner !== undefined && canSignIn(owner, now())
}
