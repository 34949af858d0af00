import type { UserActor } from '@tapeline/contracts/actor'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { firstTierWith } from '@tapeline/service/settings/included-in'
import type { Deps } from '../deps.ts'

type Lock = UsageReport['locked'][number]

/** The tiers hold as long as the tier documents are not known, or none of them includes it. */
const LOCKS = [
  { feature: 'basicAnalytics', tier: 'basic' },
  { feature: 'advancedAnalytics', tier: 'pro' },
] as const satisfies readonly Lock[]
export type AnalyticsFeature = (typeof LOCKS)[number]['feature']

/** What of the reports an account's tier does not include: it is left out and named, never refused. */
export function locksOf({ settings }: Pick<Deps, 'settings'>, { features }: UserActor): Lock[] {
  return LOCKS.filter(({ feature }) => !features.includes(feature)).map(({ feature, tier }) => ({
    feature,
    tier: firstTierWith(settings, feature) ?? tier,
  }))
}

export function hasFeature({ features }: UserActor, feature: AnalyticsFeature): boolean {
  return features.includes(feature)
}
