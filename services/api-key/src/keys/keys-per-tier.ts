import { planName, type Tier } from '@tapeline/contracts/actor'
import type { KeyKind } from '@tapeline/contracts/api-key/http'
import { AppError } from '@tapeline/service/app-error'

/** Maximum number of keys per kind and tier; revoked keys do not count. */
const KEYS_PER_TIER: Record<KeyKind, Record<Tier, number>> = {
  data: { free: 3, basic: 10, pro: 50 },
  service: { free: 1, basic: 5, pro: 20 },
}
const KIND_NAMES: Record<KeyKind, string> = { data: 'API key', service: 'service key' }
/** Maximum number of keys per user and kind, including revoked ones, so that a list is always complete. */
export const KEYS_LISTED_MAX = 200

const NEXT_TIER: Record<Tier, Tier | null> = { free: 'basic', basic: 'pro', pro: null }

export function checkKeyCount(
  kind: KeyKind,
  tier: Tier,
  { unrevoked, listed }: { unrevoked: number; listed: number },
): void {
  const [perTier, name] = [KEYS_PER_TIER[kind], KIND_NAMES[kind]]
  if (listed >= KEYS_LISTED_MAX) {
    throw new AppError('api_key.limit_reached', `You have ${KEYS_LISTED_MAX} ${name}s: delete revoked ones first.`)
  }
  const included = perTier[tier]
  if (unrevoked < included) return
  const next = NEXT_TIER[tier]
  const remedy = next === null ? 'Delete or revoke one first.' : `The ${planName(next)} plan includes ${perTier[next]}.`
  throw new AppError(
    'api_key.limit_reached',
    `The ${planName(tier)} plan includes ${included} ${name}${included === 1 ? '' : 's'}. ${remedy}`,
  )
}
