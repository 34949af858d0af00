import type { UserActor } from '@tapeline/contracts/actor'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { firstTierWith } from '@tapeline/service/settings/included-in'
import type { Deps } from '../deps.ts'

type Lock = UsageReport['locked'][number]

/** Fallback when the tier documents are unavailable, or no tier includes the feature. */
const LOCKS = [
  { feature: 'basicAnalytics', tier: 'basic' },
  { feature: 'advancedAnalytics', tier: 'pro' },
] as const satisfies readonly Lock[]
export type AnalyticsFeature = (typeof LOCKS)[number]['feature']

/** The parts of a report that the account's tier does not include: omitted and listed, never rejected. */
export function locksOf({ settings }: Pick<Deps, 'settings'>, { features }: UserActor): Lock[] {
  return LOCKS.filter(({ feature }) => !features.includes(feature)).map(({ feature, tier }) => ({
    feature,
    tier: firstTierWith(settings, feature) ?? tier,
  }))
}

export function hasFeature({ features }: UserActor, feature: AnalyticsFeature): boolean {
  return features.includes(feature)
}
