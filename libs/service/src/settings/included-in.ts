import { type Tier, TIERS } from '@tapeline/contracts/actor'
import type { Feature } from '@tapeline/contracts/config/tiers'
import type { PlatformSettings } from '../platform-settings.ts'

/** The smallest tier with this feature, per the current tier documents; undefined also when they are unavailable. */
export function firstTierWith(settings: PlatformSettings, feature: Feature): Tier | undefined {
  const tiers = settings.tiers()
  return tiers && TIERS.find((tier) => tiers[tier].features[feature])
}

/** The same as a sentence for a problem. */
export function includedIn(settings: PlatformSettings, feature: Feature): string {
  const tiers = settings.tiers()
  if (tiers === undefined) return 'The prices say which tier includes it.'
  const tier = firstTierWith(settings, feature)
  return tier === undefined ? 'No tier includes it at present.' : `The ${tiers[tier].display.name} tier includes it.`
}
