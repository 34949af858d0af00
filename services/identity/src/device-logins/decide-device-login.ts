import type { UserActor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import type { DecideDeviceLogin, DeviceLogin } from '@tapeline/contracts/identity/device-logins'
import { deviceLoginApproved, deviceLoginDenied } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { findWaitingDeviceLogin, markDeviceLoginDecided } from './device-login-queries.ts'

/** The device that waits with this code. */
export async function showDeviceLogin({ db, now }: Pick<Deps, 'db' | 'now'>, userCode: string): Promise<DeviceLogin> {
  const found = await findWaitingDeviceLogin(db, userCode, now())
  if (found === undefined) throw noSuchDevice()
  const { client_name, network, created_at, expires_at } = found
  return {
    user_code: userCode,
    client_name,
    network,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  }
}

/**
 * Approves or denies once. The session and its event begin when the device requests the result.
 * @throws AppError device_login.not_found, credential.missing
 */
export async function decideDeviceLogin(
  { db, now, newId }: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { userCode, decision }: DecideDeviceLogin & { userCode: string },
): Promise<void> {
  const { userId, sessionId } = actor
  if (sessionId === null) throw new AppError('credential.missing', 'Sign in first.')
  const [time, isApproved] = [now(), decision === 'approve']
  await db.transaction().execute(async (trx) => {
    const decided = await markDeviceLoginDecided(trx, userId, {
      userCode,
      sessionId,
      isApproved,
      at: time,
    })
    if (decided === undefined) throw noSuchDevice()
    const { client_name, network: client_network } = decided
    const about = { id: newId(), time, subject: userId, account: userId, actor }
    const data = { user_id: userId, client_name, client_network }
    const definition = isApproved ? deviceLoginApproved : deviceLoginDenied
    await recordEvent(trx, newEvent(definition, { ...about, data }))
  })
}

/** The same error for a code that is unknown, already decided or expired. */
function noSuchDevice(): AppError {
  const message = 'No device is waiting for this code. Check it, or start again on the device.'
  return new AppError('device_login.not_found', message)
}
