import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { userSignedIn } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { markSignedIn, type UserRow } from '../users/user-queries.ts'
import { clientOf } from './client-of.ts'
import { deviceName } from './device-name.ts'
import { listUsedDevices } from './session-queries.ts'
import { startSession, type StartedSession } from './start-session.ts'

const COMPARED_SESSIONS_MAX = 200

export type SignIn = { user: UserRow; session: StartedSession }
/** `deviceId`: of the device token that the browser sent, if it is valid. */
type Proven = { user: UserRow; isRemembered: boolean; deviceId?: string | undefined }

/**
 * Opens a session after a password or the provider has authenticated the user; inactive accounts are rejected.
 * @throws AppError account.inactive
 */
export async function recordSignIn(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId' | 'settings'>,
  actor: Actor,
  { user, isRemembered, deviceId }: Proven,
): Promise<SignIn> {
  if (user.status !== 'active') throw new AppError('account.inactive', 'This account is not active.')
  const at = deps.now()
  const isNew = deviceId === undefined && (await isNewDevice(trx, actor, user.id))
  const session = await startSession(trx, deps, actor, { userId: user.id, isRemembered })
  await markSignedIn(trx, user.id, at)
  const event = newEvent(userSignedIn, {
    id: deps.newId(),
    time: at,
    subject: user.id,
    account: user.id,
    actor,
    data: {
      user_id: user.id,
      session_id: session.sessionId,
      device: deviceName(clientOf(actor).userAgent ?? null),
      is_new_device: isNew,
    },
  })
  await recordEvent(trx, event)
  return { user: { ...user, last_login_at: at }, session }
}

/** False for the first session of an account: there is nothing to compare it with. */
async function isNewDevice(trx: Transaction<Tables>, actor: Actor, userId: string): Promise<boolean> {
  const { network = null, userAgent = null } = clientOf(actor)
  const used = await listUsedDevices(trx, userId, COMPARED_SESSIONS_MAX)
  const name = deviceName(userAgent)
  return used.length > 0 && !used.some((one) => one.network === network && deviceName(one.user_agent) === name)
}
