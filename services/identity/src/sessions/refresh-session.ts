import type { Actor, Role } from '@tapeline/contracts/actor'
import type { Refresh } from '@tapeline/contracts/identity/http'
import type { AccountVersion } from '@tapeline/service/account-versions'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { clientOf } from './client-of.ts'
import { endSession } from './end-session.ts'
import { hashRefreshToken, newRefreshToken, encryptSuccessor, decryptSuccessor } from './refresh-token.ts'
import { sessionExpiry } from './session-life.ts'
import {
  clearSuccessors,
  insertRefreshToken,
  type LockedRefreshToken,
  lockRefreshToken,
  markRefreshTokenUsed,
  markSessionUsed,
} from './session-queries.ts'

/** Within this time two tabs that refresh concurrently get the same successor. */
const GRACE_MS = 5_000

export type RefreshedSession = { userId: string; role: Role; sessionId: string; refreshToken: string }
type Outcome = { refreshed: RefreshedSession } | { refused: true; change?: AccountVersion | undefined }

/**
 * Exchanges a refresh token, once. Reuse after the grace period means that it was stolen: the whole family ends.
 * @throws AppError refresh_token.invalid
 */
export async function refreshSession(deps: Deps, actor: Actor, { refreshToken }: Refresh): Promise<RefreshedSession> {
  const outcome = await deps.db.transaction().execute((trx) => decide(trx, deps, actor, refreshToken))
  if ('refreshed' in outcome) return outcome.refreshed
  if (outcome.change !== undefined) await deps.raiseVersion(outcome.change)
  throw new AppError('refresh_token.invalid', 'The session has ended. Sign in again.')
}

async function decide(trx: Transaction<Tables>, deps: Deps, actor: Actor, token: string): Promise<Outcome> {
  const locked = await lockRefreshToken(trx, hashRefreshToken(token))
  if (locked === undefined) return { refused: true }
  const { user_id: userId, session_id: sessionId, role } = locked
  const use = useOf(locked, deps.now())
  switch (use) {
    case 'dead':
      return { refused: true }
    case 'reuse':
      return {
        refused: true,
        change: await endSession(trx, deps, actor, { userId, sessionId, reason: 'refresh_reused' }),
      }
    case 'first':
      return { refreshed: { userId, role, sessionId, refreshToken: await rotate(trx, deps, actor, { locked, token }) } }
    default:
      return { refreshed: { userId, role, sessionId, refreshToken: decryptSuccessor(token, use.encryptedSuccessor) } }
  }
}

type Use = 'dead' | 'reuse' | 'first' | { encryptedSuccessor: Buffer }

function useOf(locked: LockedRefreshToken, now: Date): Use {
  const { ended_at, expires_at, status, used_at, sealed_successor } = locked
  if (ended_at !== null || expires_at <= now || status !== 'active') return 'dead'
  if (used_at === null) return 'first'
  const isInGrace = now.getTime() - used_at.getTime() <= GRACE_MS
  return isInGrace && sealed_successor !== null ? { encryptedSuccessor: sealed_successor } : 'reuse'
}

async function rotate(
  trx: Transaction<Tables>,
  deps: Deps,
  actor: Actor,
  { locked, token }: { locked: LockedRefreshToken; token: string },
): Promise<string> {
  const now = deps.now()
  const { session_id: sessionId, is_remembered: isRemembered, session_created_at: createdAt } = locked
  const successor = newRefreshToken()
  await insertRefreshToken(trx, { hash: hashRefreshToken(successor), session_id: sessionId, created_at: now })
  await markRefreshTokenUsed(trx, hashRefreshToken(token), {
    at: now,
    encryptedSuccessor: encryptSuccessor(token, successor),
  })
  await clearSuccessors(trx, sessionId, new Date(now.getTime() - GRACE_MS))
  const expiresAt = sessionExpiry(deps, { isRemembered, createdAt }, now)
  await markSessionUsed(trx, sessionId, { at: now, expiresAt, network: clientOf(actor).network })
  return successor
}
