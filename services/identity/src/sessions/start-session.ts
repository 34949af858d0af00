import type { Actor } from '@tapeline/contracts/actor'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { clientOf } from './client-of.ts'
import { deviceOf } from './device-name.ts'
import { upsertKnownDevice } from './known-device-queries.ts'
import { hashRefreshToken, newRefreshToken } from './refresh-token.ts'
import { sessionExpiry } from './session-life.ts'
import { insertRefreshToken, insertSession } from './session-queries.ts'

export type StartedSession = { sessionId: string; refreshToken: string }

/** `refreshToken`: the first one, if the caller can derive it again; otherwise a random one. */
export type NewSession = { userId: string; isRemembered: boolean; refreshToken?: string | undefined }

/** Inserts a session, the first refresh token of its family, and the known device. */
export async function startSession(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId' | 'settings'>,
  actor: Actor,
  { userId, isRemembered, refreshToken = newRefreshToken() }: NewSession,
): Promise<StartedSession> {
  const now = deps.now()
  const { network, userAgent } = clientOf(actor)
  const sessionId = deps.newId()
  await insertSession(trx, {
    id: sessionId,
    user_id: userId,
    is_remembered: isRemembered,
    created_at: now,
    last_used_at: now,
    expires_at: sessionExpiry(deps, { isRemembered, createdAt: now }, now),
    user_agent: userAgent ?? null,
    network: network ?? null,
  })
  await insertRefreshToken(trx, { hash: hashRefreshToken(refreshToken), session_id: sessionId, created_at: now })
  await upsertKnownDevice(trx, userId, { ...deviceOf(actor), at: now })
  return { sessionId, refreshToken }
}
