import type { UserActor } from '@tapeline/contracts/actor'
import type { SessionList, SessionView } from '@tapeline/contracts/identity/sessions'
import type { Deps } from '../deps.ts'
import { deviceName } from './device-name.ts'
import { listOpenSessions, type SessionRow } from './session-queries.ts'

const SESSIONS_MAX = 100

/** The caller's sessions: the current one first, then by last use. */
export async function listSessions(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Pick<UserActor, 'userId' | 'sessionId'>,
): Promise<SessionList> {
  const rows = await listOpenSessions(db, actor.userId, { at: now(), limit: SESSIONS_MAX })
  const sessions = rows.map((row) => presentSession(row, actor.sessionId))
  return { sessions: sessions.toSorted((one, other) => Number(other.is_current) - Number(one.is_current)) }
}

function presentSession(row: SessionRow, currentId: string | null): SessionView {
  return {
    id: row.id,
    device: deviceName(row.user_agent),
    network: row.network,
    is_current: row.id === currentId,
    is_remembered: row.is_remembered,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }
}
