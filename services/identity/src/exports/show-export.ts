import type { UserActor } from '@tapeline/contracts/actor'
import type { AccountExport } from '@tapeline/contracts/identity/account-deletion'
import type { Deps } from '../deps.ts'
import { findNewestExport } from './export-queries.ts'
import { noSuchExport } from './no-such-export.ts'
import { presentExport } from './present-export.ts'

/** State of the newest export, unless it has expired. @throws AppError account_export.not_found */
export async function showExport({ db, now }: Pick<Deps, 'db' | 'now'>, actor: UserActor): Promise<AccountExport> {
  const newest = await findNewestExport(db, actor.userId)
  if (newest === undefined || (newest.expires_at !== null && newest.expires_at <= now())) throw noSuchExport()
  return presentExport(newest)
}
