import type { Tier } from '@tapeline/contracts/actor'

/** From small to large; the order of the columns. */
export const PLANS = ['free', 'basic', 'pro'] as const satisfies readonly Tier[]
