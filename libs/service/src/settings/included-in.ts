import { type Tier, TIERS } from '@tapeline/contracts/actor'
import type { Feature } from '@tapeline/contracts/config/tiers'
import type { PlatformSettings } from '../platform-settings.ts'

/** The smallest tier with this feature, per the current tier documents; undefined also when they are unavailable. */
export function firstTierWith(settings: PlatformSettings, feature: Feature): Tier | undefined {
  const tiers = settings.tiers()
  return tiers && TIERS.find((tier) => tiers[tier].features[feature])
}

/** A sentence for the detail of a problem: the smallest tier with this feature. */
export function includedIn(settings: PlatformSettings, feature: Feature): string {
  const tiers = settings.tiers()
  if (tiers === undefined) return 'See the pricing page for the plan that includes it.'
  const tier = firstTierWith(settings, feature)
  return tier === undefined ? 'No plan includes it at present.' : `The ${tiers[tier].display.name} plan includes it.`
}
