import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { WebhookEventType } from '@tapeline/contracts/audit/webhooks'

/** All types that are published; importing the contract's list would bring its schemas into the browser. */
export const EVENT_GROUPS: readonly { label: MessageDescriptor; types: readonly WebhookEventType[] }[] = [
  {
    label: msg`Keys`,
    types: [
      'key.created',
      'key.updated',
      'key.rotated',
      'key.revoked',
      'key.deleted',
      'key.expiring',
      'key.expired',
      'key.used_from_new_network',
      'key.leaked',
    ],
  },
  {
    label: msg`Limits and plan`,
    types: [
      'limit.reached',
      'usage.threshold',
      'usage.alert',
      'plan.changed',
      'plan.trial_started',
      'plan.trial_ending',
      'plan.trial_ended',
    ],
  },
  {
    label: msg`Sign-in, status and data`,
    types: ['session.new_device', 'incident.opened', 'incident.resolved', 'data.day_sealed', 'data.corrected'],
  },
]

export const EVENT_TYPES: readonly WebhookEventType[] = EVENT_GROUPS.flatMap(({ types }) => types)

/** Delays before attempts 2 to 10, in seconds. */
export const RETRY_DELAYS_S = [5, 30, 120, 600, 1_800, 7_200, 18_000, 28_800, 29_845] as const

/** The attempts of the current schedule, oldest first; none before its first attempt. */
export function newestAttempts<T>(attempts: readonly T[], tries: number): T[] {
  return attempts.slice(Math.max(0, attempts.length - tries))
}
