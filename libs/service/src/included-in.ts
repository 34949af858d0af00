import { TIERS } from '@tapeline/contracts/actor'
import type { Feature } from '@tapeline/contracts/config/tiers'
import type { PlatformSettings } from './platform-settings.ts'

/** For a problem: which tier includes a feature, by the tier documents as they are now. */
export function includedIn(settings: PlatformSettings, feature: Feature): string {
  const tiers = settings.tiers()
  if (tiers === undefined) return 'The prices say which tier includes it.'
  const including = TIERS.find((tier) => tiers[tier].features[feature])
  return including === undefined
    ? 'No tier includes it at present.'
    : `The ${tiers[including].display.name} tier includes it.`
}
