import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { RequestDeviceLink } from '@tapeline/contracts/identity/devices'
import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'

/** Does not look up the account: the mail job does, so response and timing are the same for every address. */
export async function requestDeviceLink(deps: Deps, { email }: RequestDeviceLink): Promise<void> {
  await recordMail(deps.db, deps, { userId: null, recipient: canonicalEmail(email), mail: { kind: 'device-link' } })
}
