import { createHmac } from 'node:crypto'
import type { Actor } from '@tapeline/contracts/actor'
import { DEVICE_LOGIN_SECONDS, type FinishDeviceLogin } from '@tapeline/contracts/identity/device-logins'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { lockPassword } from '../passwords/password-queries.ts'
import { presentSignIn, type SignedInUser } from '../sessions/present-sign-in.ts'
import { recordSignIn, type SignIn } from '../sessions/record-sign-in.ts'
import { hashRefreshToken } from '../sessions/refresh-token.ts'
import { findOpenSession, type LockedRefreshToken, lockRefreshToken } from '../sessions/session-queries.ts'
import type { Tables } from '../tables.ts'
import { findUser, type UserRow } from '../users/user-queries.ts'
import { deleteDeviceLogin, type DeviceLoginRow, lockDeviceLogin } from './device-login-queries.ts'

type Outcome = { signIn: SignIn } | { refused: AppError }

/** The response may be lost: for this time the device receives the session of its code again. */
const REPEATED_MS = 60_000

/**
 * Opens the session of an approved device, once. Before the decision the answer is `device_login.pending`. A repeated
 * call returns the same session while its refresh token is unused.
 */
export async function finishDeviceLogin(
  deps: Deps,
  actor: Actor,
  { device_code }: FinishDeviceLogin,
): Promise<SignedInUser> {
  const outcome = await deps.db.transaction().execute((trx) => decide(trx, deps, actor, device_code))
  if ('refused' in outcome) throw outcome.refused
  return presentSignIn(deps, outcome.signIn)
}

async function decide(trx: Transaction<Tables>, deps: Deps, actor: Actor, deviceCode: string): Promise<Outcome> {
  const hash = hashRefreshToken(deviceCode)
  const login = await lockDeviceLogin(trx, hash)
  if (login === undefined) return repeat(trx, deps, deviceCode)
  if (login.expires_at <= deps.now()) return { refused: expired() }
  const { user_id: userId, decided_at: decidedAt } = login
  if (userId === null || decidedAt === null) return { refused: pending() }
  await deleteDeviceLogin(trx, hash)
  if (login.is_approved !== true) return { refused: new AppError('device_login.denied', 'The sign-in was denied.') }
  // A concurrent new password either voids the approval or ends this session.
  await lockPassword(trx, userId)
  const user = await findUser(trx, userId)
  if (user === undefined || isOutdated(user, decidedAt)) return { refused: expired() }
  if (!(await isApproverSignedIn(trx, deps, login))) return { refused: expired() }
  const refreshToken = firstRefreshToken(deviceCode)
  return { signIn: await recordSignIn(trx, deps, actor, { user, isRemembered: true, refreshToken }) }
}

async function repeat(trx: Transaction<Tables>, deps: Pick<Deps, 'now'>, deviceCode: string): Promise<Outcome> {
  const refreshToken = firstRefreshToken(deviceCode)
  const locked = await lockRefreshToken(trx, hashRefreshToken(refreshToken))
  if (locked === undefined || !isFresh(locked, deps.now())) return { refused: expired() }
  const user = await findUser(trx, locked.user_id)
  if (user === undefined) return { refused: expired() }
  return { signIn: { user, session: { sessionId: locked.session_id, refreshToken } } }
}

function isFresh({ used_at, ended_at, status, session_created_at }: LockedRefreshToken, now: Date): boolean {
  const isUnused = used_at === null && ended_at === null && status === 'active'
  return isUnused && now.getTime() - session_created_at.getTime() <= REPEATED_MS
}

/** As secret as the code of the device, which has 256 random bits and is stored as a hash. */
function firstRefreshToken(deviceCode: string): string {
  return createHmac('sha256', deviceCode).update('first refresh token of a device').digest('base64url')
}

/** An approval is void once the session that granted it has ended. */
async function isApproverSignedIn(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now'>,
  { user_id: userId, session_id: sessionId }: Pick<DeviceLoginRow, 'user_id' | 'session_id'>,
): Promise<boolean> {
  if (userId === null || sessionId === null) return true
  return (await findOpenSession(trx, userId, { sessionId, at: deps.now() })) !== undefined
}

/** A new password, or the end of all sessions, also ends approvals that no session was opened for. */
function isOutdated({ not_before, devices_not_before }: UserRow, decidedAt: Date): boolean {
  return not_before > decidedAt || devices_not_before > decidedAt
}

function pending(): AppError {
  return new AppError('device_login.pending', 'The code has not been approved yet.', {
    retryAfterSeconds: DEVICE_LOGIN_SECONDS.interval,
  })
}

function expired(): AppError {
  return new AppError('device_login.expired', 'This sign-in has expired. Start again.')
}
