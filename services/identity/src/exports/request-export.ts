import type { UserActor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import type { AccountExport } from '@tapeline/contracts/identity/account-deletion'
import { accountExportRequested } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { lockUser } from '../users/user-queries.ts'
import { type ExportRow, findNewestExport, insertExport } from './export-queries.ts'
import { presentExport } from './present-export.ts'

/** Requests an export. While one is being built it is returned; the next one can be requested after a pause. */
export async function requestExport(deps: Deps, actor: UserActor): Promise<AccountExport> {
  return presentExport(await deps.db.transaction().execute((trx) => request(trx, deps, actor)))
}

async function request(trx: Transaction<Tables>, deps: Deps, actor: UserActor): Promise<ExportRow> {
  const { userId } = actor
  if ((await lockUser(trx, userId)) === undefined) throw noSuchAccount()
  const newest = await findNewestExport(trx, userId)
  if (newest !== undefined && newest.failed_at === null) {
    if (newest.ready_at === null) return newest
    checkPause(deps, newest)
  }
  const row = await insertExport(trx, { id: deps.newId(), userId, at: deps.now() })
  const event = newEvent(accountExportRequested, {
    id: deps.newId(),
    time: deps.now(),
    subject: userId,
    account: userId,
    actor,
    data: { user_id: userId, export_id: row.id },
  })
  await recordEvent(trx, event)
  return row
}

function checkPause({ now, exports }: Deps, { requested_at }: ExportRow): void {
  const waitMs = requested_at.getTime() + exports.pauseMs - now().getTime()
  if (waitMs <= 0) return
  throw new AppError('account_export.too_soon', 'An export was created recently. Try again later.', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}

function noSuchAccount(): AppError {
  return new AppError('account.not_found', 'There is no such account.')
}
