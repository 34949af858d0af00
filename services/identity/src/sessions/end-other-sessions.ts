import type { UserActor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { type SessionEndReason, sessionEnded } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { type AccountVersion, USER_VERSION_FIELD } from '@tapeline/service/account-versions'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { raiseUserVersion } from '../users/user-queries.ts'
import { endOpenSessions } from './session-queries.ts'

type EndedOthers = { ended: number; change: AccountVersion | undefined }

/**
 * Ends all sessions of the caller except the calling one, in one version; the others' access tokens are rejected by
 * session id.
 */
export async function endOtherSessions(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId'>,
  actor: UserActor,
  { reason }: { reason: SessionEndReason },
): Promise<EndedOthers> {
  const { userId, sessionId } = actor
  const at = deps.now()
  const ids = await endOpenSessions(trx, userId, {
    at,
    reason,
    ...(sessionId === null ? {} : { exceptId: sessionId }),
  })
  if (ids.length === 0) return { ended: 0, change: undefined }
  const version = await raiseUserVersion(trx, userId)
  const change = { accountId: userId, field: USER_VERSION_FIELD, version }
  for (const session_id of ids) {
    const event = newEvent(sessionEnded, {
      id: deps.newId(),
      time: at,
      subject: userId,
      account: userId,
      actor,
      data: { user_id: userId, session_id, reason, version },
    })
    await recordEvent(trx, event, change)
  }
  return { ended: ids.length, change }
}
