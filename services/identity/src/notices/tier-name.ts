import type { Tier } from '@tapeline/contracts/actor'

/** A name, the same in every language. */
export function tierName(tier: Tier): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1)
}
