import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import type { TrustDevice, TrustedDevice } from '@tapeline/contracts/identity/devices'
import { deviceTrusted } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { canSignIn } from '../account-deletion/can-sign-in.ts'
import type { Deps } from '../deps.ts'
import { invalidEmailLink } from '../email/invalid-email-link.ts'
import { useEmailLink } from '../email/use-email-link.ts'
import { deleteWaitingMailsTo } from '../mail/mail-queries.ts'
import { newDeviceToken } from '../sessions/device-token.ts'

/**
 * Marks the browser that opened the link as a known device: it still needs the password, but not the delay.
 * @throws AppError email_link.invalid
 */
export async function trustDevice(deps: Deps, actor: Actor, { token }: TrustDevice): Promise<TrustedDevice> {
  const user = await deps.db.transaction().execute(async (trx) => {
    const { user: owner, email } = await useEmailLink(trx, deps, { token, purpose: 'device' })
    if (owner.email !== email || !canSignIn(owner, deps.now())) throw invalidEmailLink()
    // A retry of the mail would make the used link valid again.
    await deleteWaitingMailsTo(trx, owner.email_canonical, 'device-link')
    const about = { id: deps.newId(), time: deps.now(), subject: owner.id, account: owner.id, actor }
    await recordEvent(trx, newEvent(deviceTrusted, { ...about, data: { user_id: owner.id } }))
    return owner
  })
  return { email: user.email, deviceToken: newDeviceToken(deps, user) }
}
