import type { UserActor } from '@tapeline/contracts/actor'
import type { EndedSessionCount } from '@tapeline/contracts/identity/sessions'
import { EFFECTIVE_WITHIN_SECONDS } from '@tapeline/service/account-versions'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { endSession } from './end-session.ts'

/**
 * Ends one of the caller's own sessions; another user's and an ended one are the same 404.
 * @throws AppError session.not_found
 */
export async function revokeSession(deps: Deps, actor: UserActor, sessionId: string): Promise<EndedSessionCount> {
  const change = await deps.db
    .transaction()
    .execute((trx) => endSession(trx, deps, actor, { userId: actor.userId, sessionId, reason: 'revoked' }))
  if (change === undefined) throw new AppError('session.not_found', 'There is no such session.')
  const isPublished = await deps.raiseVersion(change)
  return { ended: 1, ...(isPublished ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }) }
}
