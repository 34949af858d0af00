import { ACCESS_TOKEN_LIFE_SECONDS } from '@tapeline/contracts/identity/access-token'
import type { AccountRecord } from '@tapeline/contracts/identity/http'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { type EndedSession, listEndedSessions } from '../sessions/session-queries.ts'
import { findUser } from './user-queries.ts'

/** Longer than the lifetime of an access token, to tolerate clock differences. */
const ENDED_SESSIONS_KEPT_MS = (ACCESS_TOKEN_LIFE_SECONDS + 60) * 1_000
const ENDED_SESSIONS_MAX = 200

/**
 * What the gateway caches of a user. The version is read before the sessions: a session that ends in between is in
 * the list of an older version, which is reloaded, and never missing from a newer one.
 * @throws AppError account.not_found
 */
export async function getAccountRecord(deps: Pick<Deps, 'db' | 'now'>, accountId: string): Promise<AccountRecord> {
  const user = await findUser(deps.db, accountId)
  if (user === undefined) throw new AppError('account.not_found', 'There is no such account.')
  const since = new Date(deps.now().getTime() - ENDED_SESSIONS_KEPT_MS)
  const ended = await listEndedSessions(deps.db, accountId, { since, limit: ENDED_SESSIONS_MAX + 1 })
  return {
    account_id: user.id,
    version: user.version,
    role: user.role,
    status: user.status,
    not_before: notBefore(user.not_before, ended),
    ended_session_ids: ended.slice(0, ENDED_SESSIONS_MAX).map(({ id }) => id),
  }
}

/** If more sessions ended than the list contains, tokens older than the first omitted one are rejected as well. */
function notBefore(userNotBefore: Date, ended: EndedSession[]): number {
  const own = Math.floor(userNotBefore.getTime() / 1_000)
  const leftOut = ended[ENDED_SESSIONS_MAX]?.ended_at
  return leftOut === undefined || leftOut === null ? own : Math.max(own, Math.floor(leftOut.getTime() / 1_000) + 1)
}
