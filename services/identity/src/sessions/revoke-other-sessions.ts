import type { UserActor } from '@tapeline/contracts/actor'
import type { EndedSessionCount } from '@tapeline/contracts/identity/sessions'
import { EFFECTIVE_WITHIN_SECONDS } from '@tapeline/service/account-versions'
import type { Deps } from '../deps.ts'
import { endOtherSessions } from './end-other-sessions.ts'

/** Signs the caller out on all other devices. */
export async function revokeOtherSessions(deps: Deps, actor: UserActor): Promise<EndedSessionCount> {
  const { ended, change } = await deps.db
    .transaction()
    .execute((trx) => endOtherSessions(trx, deps, actor, { reason: 'revoked' }))
  const isPublished = change === undefined || (await deps.raiseVersion(change))
  return { ended, ...(isPublished ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }) }
}
