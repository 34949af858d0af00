import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { Role } from '@tapeline/contracts/actor'
import type { UserStatus } from '@tapeline/contracts/identity/http'
import { AppError } from '@tapeline/service/app-error'
import { Format } from 'typebox/format'
import type { Deps } from '../deps.ts'
import { countOpenSessions } from '../sessions/session-queries.ts'
import { findUser, findUserByEmail } from './user-queries.ts'

export type ShownAccount = {
  account_id: string
  email: string
  role: Role
  status: UserStatus
  version: number
  living_sessions: number
  not_before: string
  last_login_at: string | null
  created_at: string
}

/** An account as presented to operators, by id or e-mail. @throws AppError account.not_found */
export async function showAccount(deps: Pick<Deps, 'db' | 'now'>, account: string): Promise<ShownAccount> {
  const user = Format.IsUuid(account)
    ? await findUser(deps.db, account)
    : await findUserByEmail(deps.db, canonicalEmail(account))
  if (user === undefined) throw new AppError('account.not_found', `There is no account ${account}.`)
  return {
    account_id: user.id,
    email: user.email,
    role: user.role,
    status: user.status,
    version: user.version,
    living_sessions: await countOpenSessions(deps.db, user.id, deps.now()),
    not_before: user.not_before.toISOString(),
    last_login_at: user.last_login_at?.toISOString() ?? null,
    created_at: user.created_at.toISOString(),
  }
}
