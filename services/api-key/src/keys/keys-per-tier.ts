import type { Tier } from '@tapeline/contracts/actor'
import { AppError } from '@tapeline/service/app-error'

/** Maximum number of API keys per tier; revoked keys do not count. */
export const KEYS_PER_TIER: Record<Tier, number> = { free: 3, basic: 10, pro: 50 }
/** Maximum number of keys per user, including revoked ones, so that a list is always complete. */
export const KEYS_LISTED_MAX = 200

const NEXT_TIER: Record<Tier, Tier | null> = { free: 'basic', basic: 'pro', pro: null }

export function checkKeyCount(tier: Tier, { living, listed }: { living: number; listed: number }): void {
  if (listed >= KEYS_LISTED_MAX) {
    throw new AppError('api_key.limit_reached', `You have ${KEYS_LISTED_MAX} API keys: delete revoked ones first.`)
  }
  const included = KEYS_PER_TIER[tier]
  if (living < included) return
  const next = NEXT_TIER[tier]
  const remedy = next === null ? 'Delete or revoke one first.' : `The ${next} tier includes ${KEYS_PER_TIER[next]}.`
  throw new AppError('api_key.limit_reached', `The ${tier} tier includes ${included} API keys. ${remedy}`)
}
