import type { UserActor } from '@tapeline/contracts/actor'
import type { UsageReport } from '@tapeline/contracts/audit/http'

type Lock = UsageReport['locked'][number]

const LOCKS = [
  { feature: 'basicAnalytics', tier: 'basic' },
  { feature: 'advancedAnalytics', tier: 'pro' },
] as const satisfies readonly Lock[]
export type AnalyticsFeature = (typeof LOCKS)[number]['feature']

/** What of the reports an account's tier does not include: it is left out and named, never refused. */
export function locksOf({ features }: UserActor): Lock[] {
  return LOCKS.filter(({ feature }) => !features.includes(feature))
}

export function hasFeature({ features }: UserActor, feature: AnalyticsFeature): boolean {
  return features.includes(feature)
}
