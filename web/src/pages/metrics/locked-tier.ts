import type { UsageReport } from '@tapeline/contracts/audit/http'

const TIER_NAMES = { free: 'Free', basic: 'Basic', pro: 'Pro' } as const

/** Name of the first tier that includes a feature which the caller's tier does not; undefined when it is included. */
export function lockedTier({ locked }: UsageReport, feature: string): string | undefined {
  const found = locked.find((one) => one.feature === feature)
  return found === undefined ? undefined : TIER_NAMES[found.tier]
}
