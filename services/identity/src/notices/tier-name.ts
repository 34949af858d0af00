import type { Tier } from '@tapeline/contracts/actor'

/** A product name, not translated. */
export function tierName(tier: Tier): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1)
}
