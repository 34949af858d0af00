import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { userSignedIn } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { markSignedIn, type UserRow } from '../users/user-queries.ts'
import { deviceName, deviceOf } from './device-name.ts'
import { DEVICE_LIFE_MS } from './device-token.ts'
import { findKnownDevice } from './known-device-queries.ts'
import { listUsedDevices } from './session-queries.ts'
import { type NewSession, startSession, type StartedSession } from './start-session.ts'

const COMPARED_SESSIONS_MAX = 200

export type SignIn = { user: UserRow; session: StartedSession }
/** `deviceId`: of the device token that the browser sent, if it is valid. */
type Proven = Omit<NewSession, 'userId'> & { user: UserRow; deviceId?: string | undefined }

/**
 * Opens a session after a password or the provider has authenticated the user; inactive accounts are rejected.
 * @throws AppError account.inactive
 */
export async function recordSignIn(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId' | 'settings'>,
  actor: Actor,
  { user, isRemembered, refreshToken, deviceId }: Proven,
): Promise<SignIn> {
  if (user.status !== 'active') throw new AppError('account.inactive', 'This account is not active.')
  const at = deps.now()
  const isNew = deviceId === undefined && (await isNewDevice(trx, deps, actor, user))
  // Locks the user before the device, as sign-ins do that have locked the user already.
  await markSignedIn(trx, user.id, at)
  const session = await startSession(trx, deps, actor, { userId: user.id, isRemembered, refreshToken })
  const event = newEvent(userSignedIn, {
    id: deps.newId(),
    time: at,
    subject: user.id,
    account: user.id,
    actor,
    data: {
      user_id: user.id,
      session_id: session.sessionId,
      device: deviceOf(actor).device,
      is_new_device: isNew,
    },
  })
  await recordEvent(trx, event)
  return { user: { ...user, last_login_at: at }, session }
}

/**
 * False for the first sign-in of an account: there is nothing to compare it with. Sessions are compared too, because
 * their network changes when they are refreshed.
 */
async function isNewDevice(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now'>,
  actor: Actor,
  { id, last_login_at, devices_not_before }: UserRow,
): Promise<boolean> {
  if (last_login_at === null) return false
  const { device, network } = deviceOf(actor)
  const since = new Date(Math.max(deps.now().getTime() - DEVICE_LIFE_MS, devices_not_before.getTime()))
  if ((await findKnownDevice(trx, id, { device, network, since })) !== undefined) return false
  const used = await listUsedDevices(trx, id, COMPARED_SESSIONS_MAX)
  return !used.some((one) => (one.network ?? '') === network && deviceName(one.user_agent) === device)
}
