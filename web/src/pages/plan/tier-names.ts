export const TIER_NAMES = { free: 'Free', basic: 'Basic', pro: 'Pro' } as const
