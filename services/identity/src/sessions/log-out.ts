import type { UserActor } from '@tapeline/contracts/actor'
import type { SignedOut } from '@tapeline/contracts/identity/http'
import { EFFECTIVE_WITHIN_SECONDS } from '@tapeline/service/account-versions'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { endSession } from './end-session.ts'

/** Ends the caller's session. Idempotent. @throws AppError credential.missing */
export async function logOut(deps: Deps, actor: UserActor): Promise<SignedOut> {
  const { userId, sessionId } = actor
  if (sessionId === null) throw new AppError('credential.missing', 'There is no session to end: sign in first.')
  const change = await deps.db
    .transaction()
    .execute((trx) => endSession(trx, deps, actor, { userId, sessionId, reason: 'signed_out' }))
  const isPublished = change === undefined || (await deps.raiseVersion(change))
  return isPublished ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }
}
