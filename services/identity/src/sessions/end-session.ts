import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { type SessionEndReason, sessionEnded } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { type AccountVersion, USER_VERSION_FIELD } from '@tapeline/service/account-versions'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { raiseUserVersion } from '../users/user-queries.ts'
import { markSessionEnded } from './session-queries.ts'

export type SessionEnd = { userId: string; sessionId: string; reason: SessionEndReason }

/** Returns the version to write to Redis after the commit; undefined when the session had already ended. */
export async function endSession(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId'>,
  actor: Actor,
  { userId, sessionId, reason }: SessionEnd,
): Promise<AccountVersion | undefined> {
  const at = deps.now()
  if (!(await markSessionEnded(trx, userId, { sessionId, at, reason }))) return undefined
  const change = { accountId: userId, field: USER_VERSION_FIELD, version: await raiseUserVersion(trx, userId) }
  const event = newEvent(sessionEnded, {
    id: deps.newId(),
    time: at,
    subject: userId,
    account: userId,
    actor,
    data: { user_id: userId, session_id: sessionId, reason, version: change.version },
  })
  await recordEvent(trx, event, change)
  return change
}
