import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { Role, Tier } from '@tapeline/contracts/actor'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { UserStatus } from '@tapeline/contracts/identity/http'
import { i18n } from '../../../language/i18n.ts'
import { formatDateTime } from '../../../format/date.ts'
import { TIER_NAMES } from '../../plan/tier-names.ts'

const ROLE_MAY: Record<Role, MessageDescriptor> = {
  user: msg`They no longer see Admin Controls.`,
  tester: msg`They can create, turn on or off, and delete the flags of users and testers.`,
  admin: msg`They can change all flags, configurations, tiers and accounts, including this one.`,
}

/** The immediate effect of a role, shown before confirmation. */
export function roleEffects(role: Role, isReader: boolean): string[] {
  return [
    i18n._(ROLE_MAY[role]),
    t`It applies to their next request at every gateway. No one is signed out; open pages update automatically.`,
    ...(isReader && role !== 'admin' ? [t`This is your own account: you lose access to this page.`] : []),
  ]
}

export function statusEffects(status: UserStatus, isReader: boolean): string[] {
  if (status === 'active') {
    return [
      t`Their API keys and sign-in work again from the next request.`,
      t`If deletion of the account was scheduled, it is cancelled.`,
    ]
  }
  return [
    t`From their next request on, every gateway rejects their API keys and open pages, and they cannot sign in.`,
    t`Nothing is deleted; everything works again when the account is active.`,
    ...(isReader ? [t`This is your own account: you are signed out.`] : []),
  ]
}

/** The account's current plan, in one line. */
export function planInWords({ tier, trial_ends_at, tier_after_trial }: SubscriptionRecord, timeZone: string): string {
  if (trial_ends_at === null) return TIER_NAMES[tier]
  const after: Tier = tier_after_trial ?? 'free'
  return t`${TIER_NAMES[tier]}, trial until ${formatDateTime(trial_ends_at, timeZone)}, then ${TIER_NAMES[after]}`
}
